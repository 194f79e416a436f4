//! From templates to the bytes of files, in memory. The only module that knows Handlebars.

mod helpers;

use std::borrow::Cow;
use std::collections::BTreeMap;

use handlebars::{Context, Handlebars, RenderError, RenderErrorReason, TemplateError};

use super::context::{Context as Values, context};
use super::lock;
use super::plan::{Plan, Source};
use super::rendered::Rendered;
use crate::answers::Answers;
use crate::catalog::text;
use crate::error::{Error, Result};

/// Renders all files of the plan, sorted by path.
pub fn render<'a>(plan: &Plan<'a>, answers: &Answers) -> Result<Vec<Rendered<'a>>> {
    render_with(plan, answers, context(answers)?)
}

pub fn render_with<'a>(
    plan: &Plan<'a>,
    answers: &Answers,
    values: Values,
) -> Result<Vec<Rendered<'a>>> {
    let handlebars = handlebars(answers)?;
    let context = Context::wraps(values).map_err(|error| Error::template("layer.toml", error))?;
    let render = |(path, source): (&str, &Source<'a>)| {
        Ok(Rendered {
            path: path.to_owned(),
            contents: contents(source, &handlebars, &context)?,
        })
    };
    let files = plan.iter().map(render).collect::<Result<_>>()?;
    Ok(lock::with_lock(files))
}

/// Fills in one template with values that are no answers.
pub fn filled(template: &str, values: Vec<(&str, String)>) -> Result<String> {
    let mut handlebars = Handlebars::new();
    handlebars.set_strict_mode(true);
    handlebars.register_escape_fn(handlebars::no_escape);
    let values: BTreeMap<_, _> = values.into_iter().collect();
    let rendered = handlebars.render_template(template, &values);
    rendered.map_err(|error| Error::template("a stub", problem(&error, 0)))
}

fn contents<'a>(
    source: &Source<'a>,
    handlebars: &Handlebars,
    context: &Context,
) -> Result<Cow<'a, [u8]>> {
    if !source.rendered {
        return Ok(Cow::Borrowed(source.contents));
    }
    let (head, template, tail) = split(text(&source.id, source.contents)?);
    let rendered = handlebars.render_template_with_context(template, context);
    let rendered = rendered.map_err(|error| {
        let first_line = head.lines().count();
        Error::template(&source.id, problem(&error, first_line))
    })?;
    let rendered = [head, &rendered, tail].concat();
    Ok(Cow::Owned(rendered.into_bytes()))
}

/// Splits off the lines before the first expression and after the last one.
///
/// Handlebars parses 20 kB a millisecond, and long templates often hold one expression near their top: without this,
/// parsing would take as long as writing the package.
fn split(template: &str) -> (&str, &str, &str) {
    let Some(first) = template.find("{{") else {
        return (template, "", "");
    };
    let Some(last) = template[first..].rfind("}}") else {
        // Handlebars has the message for this.
        return ("", template, "");
    };
    let last = first + last;
    let start = template[..first]
        .rfind('\n')
        .map_or(0, |newline| newline + 1);
    let end = template[last..]
        .find('\n')
        .map_or(template.len(), |newline| last + newline + 1);
    (&template[..start], &template[start..end], &template[end..])
}

fn handlebars<'a>(answers: &Answers<'a>) -> Result<Handlebars<'a>> {
    let mut handlebars = Handlebars::new();
    handlebars.set_strict_mode(true);
    handlebars.register_escape_fn(handlebars::no_escape);
    helpers::register(&mut handlebars);
    for layer in answers.layers.iter() {
        for (name, template) in &layer.partials {
            let file = format!("{}/partials/{name}", layer.id);
            if handlebars.has_template(name) {
                return Err(Error::template(
                    file,
                    "another layer has a partial of this name",
                ));
            }
            handlebars
                .register_partial(name, template)
                .map_err(|error| Error::template(file, syntax_problem(&error, 0)))?;
        }
    }
    Ok(handlebars)
}

/// Describes an error and its line in a template, which begins after `first_line` lines.
fn problem(error: &RenderError, first_line: usize) -> String {
    let problem = match error.reason() {
        RenderErrorReason::TemplateError(error) => return syntax_problem(error, first_line),
        RenderErrorReason::MissingVariable(Some(key)) => format!("there is no value `{key}`"),
        reason => reason.to_string(),
    };
    let (problem, first_line) = match &error.template_name {
        // The line is then one of the partial.
        Some(partial) => (format!("{problem} (in the partial `{partial}`)"), 0),
        None => (problem, first_line),
    };
    match error.line_no {
        Some(line) => format!("line {}: {problem}", first_line + line),
        None => problem,
    }
}

fn syntax_problem(error: &TemplateError, first_line: usize) -> String {
    match error.pos() {
        Some((line, _)) => format!("line {}: {}", first_line + line, error.reason()),
        None => error.reason().to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_lines_between_expressions_are_parsed() {
        let template = "a\nb {{x}}\nc\nd {{y}} e\nf\n";
        assert_eq!(split(template), ("a\n", "b {{x}}\nc\nd {{y}} e\n", "f\n"));
        assert_eq!(split("{{x}}"), ("", "{{x}}", ""));
        assert_eq!(split("a\nb\n"), ("a\nb\n", "", ""));
        assert_eq!(split("}}\n{{\n"), ("", "}}\n{{\n", ""));
        assert_eq!(split("a\n{{ b }\n"), ("", "a\n{{ b }\n", ""));
    }
}
