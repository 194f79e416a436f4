//! Marks on streams: whether the work up to some point has been done.

use super::Gpu;
use super::graph::{Graph, GraphLife, Uncaptured, is_capturing};
use super::stream::{Recorded, Stream};
use crate::error::Result;
use crate::fork;

impl Gpu {
    /// Marks what is on a stream now.
    pub fn mark(&'static self, stream: Stream) -> Result<Mark> {
        let _current = self.enter()?;
        let point = match Graph::of(stream.raw())? {
            Some(graph) => Point::End(graph.life()?),
            None => Point::Event(Recorded::on(self.index, stream.raw())?),
        };
        Ok(Mark {
            gpu: self,
            stream,
            point,
        })
    }
}

/// A point on a stream. While its work becomes part of a graph that is the graph's end.
pub struct Mark {
    gpu: &'static Gpu,
    stream: Stream,
    point: Point,
}

enum Point {
    Event(Recorded),
    End(GraphLife),
}

impl Mark {
    /// Checks whether everything before it has been done. After a CUDA error nothing is running.
    #[must_use]
    pub fn has_passed(&self) -> bool {
        if self.gpu.forks != fork::generation() {
            return false; // the parent's
        }
        let passed = |recorded: &Recorded| {
            let _current = self.gpu.enter()?;
            let _uncaptured = Uncaptured::new();
            recorded.has_passed()
        };
        match &self.point {
            Point::Event(recorded) => passed(recorded).unwrap_or(true),
            Point::End(life) => life.is_over(),
        }
    }

    /// Has a stream come after it. What is captured comes later than what runs now, which is waited for; a
    /// graph is launched in whatever order its owner says.
    pub(crate) fn precede(&self, stream: Stream) -> Result<()> {
        match &self.point {
            Point::Event(_) if self.stream == stream => Ok(()),
            Point::Event(_) if is_capturing(stream.raw())? => self.synchronize(),
            Point::Event(recorded) => recorded.precede(stream.raw()),
            Point::End(_) => Ok(()),
        }
    }

    /// Waits for it, unless it is the end of a graph.
    pub(crate) fn synchronize(&self) -> Result<()> {
        match &self.point {
            Point::Event(recorded) => {
                let _current = self.gpu.enter()?;
                let _uncaptured = Uncaptured::new();
                recorded.synchronize()
            }
            Point::End(_) => Ok(()),
        }
    }

    /// The stream, or another key for a graph: marks of one key are passed in their order.
    #[must_use]
    pub fn order(&self) -> Stream {
        match &self.point {
            Point::End(life) => Stream(life.key()),
            Point::Event(_) => self.stream,
        }
    }
}
