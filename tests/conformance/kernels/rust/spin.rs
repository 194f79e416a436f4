use crate::prelude::*;

kernel! {
    /// Work so long on the CPU, on one thread or on several; Ctrl-C ends it. How long it was.
    spin(seconds: f64, *, threads: bool = false) -> _spent: f64
    host(call) {
        let start = std::time::Instant::now();
        let busy = |from: std::time::Instant, seconds: f64| from.elapsed().as_secs_f64() < seconds;
        if threads {
            call.parallel(1 << 20, |_| {
                let begin = std::time::Instant::now();
                while busy(start, seconds) && busy(begin, 0.001) {}
                Ok(())
            })?;
        }
        while busy(start, seconds) {
            call.check_interrupt()?;
        }
        Ok(())
    }
    each _spent[] { seconds }
}
