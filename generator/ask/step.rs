//! Where to go after a question.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    Forward,
    Back,
}
