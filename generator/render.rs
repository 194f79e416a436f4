//! From templates to the bytes of files, in memory. The only module that knows Handlebars.

use std::borrow::Cow;

use handlebars::{
    Context, Handlebars, Helper, HelperResult, Output, RenderContext, RenderError,
    RenderErrorReason,
};

use crate::answers::Answers;
use crate::context::{context, toml_string};
use crate::error::{Error, Result};
use crate::layer::text;
use crate::lock;
use crate::plan::Plan;

/// A file of the package.
#[derive(Debug)]
pub struct Rendered<'a> {
    /// Its path in the package, with `/`.
    pub path: String,
    pub contents: Cow<'a, [u8]>,
}

/// Renders all files of the plan, sorted by path.
pub fn render<'a>(plan: &Plan<'a>, answers: &Answers) -> Result<Vec<Rendered<'a>>> {
    let handlebars = handlebars(answers)?;
    let context =
        Context::wraps(context(answers)?).map_err(|error| Error::template("layer.toml", error))?;

    let render = |(path, source): (&str, &crate::plan::Source<'a>)| {
        let contents = if source.rendered {
            let template = text(&source.id, source.contents)?;
            let rendered = handlebars
                .render_template_with_context(template, &context)
                .map_err(|error| Error::template(&source.id, problem(&error)))?;
            if lock::is_lock(path) {
                Cow::Owned(lock::sorted(&rendered).into_bytes())
            } else {
                Cow::Owned(rendered.into_bytes())
            }
        } else {
            Cow::Borrowed(source.contents)
        };
        Ok(Rendered {
            path: path.to_owned(),
            contents,
        })
    };
    plan.iter().map(render).collect()
}

fn handlebars<'a>(answers: &Answers<'a>) -> Result<Handlebars<'a>> {
    let mut handlebars = Handlebars::new();
    handlebars.set_strict_mode(true);
    handlebars.register_escape_fn(handlebars::no_escape);
    handlebars.register_helper("toml", Box::new(toml_helper));
    handlebars.register_helper("docstring", Box::new(docstring_helper));
    for layer in answers.layers() {
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
                .map_err(|error| Error::template(file, error))?;
        }
    }
    Ok(handlebars)
}

/// `{{toml description}}`: a TOML string, quotes included.
fn toml_helper(
    helper: &Helper,
    _: &Handlebars,
    _: &Context,
    _: &mut RenderContext,
    out: &mut dyn Output,
) -> HelperResult {
    Ok(out.write(&toml_string(argument(helper)?))?)
}

/// `{{docstring description}}`: text inside a Python `"""` string, quotes not included.
fn docstring_helper(
    helper: &Helper,
    _: &Handlebars,
    _: &Context,
    _: &mut RenderContext,
    out: &mut dyn Output,
) -> HelperResult {
    let text = argument(helper)?.replace('\\', r"\\").replace('"', r#"\""#);
    Ok(out.write(&text)?)
}

/// The only argument of a helper; Handlebars' strict mode does not look at arguments.
fn argument<'a>(helper: &'a Helper) -> Result<&'a str, RenderError> {
    let argument = helper.param(0);
    let text = argument.and_then(|argument| argument.value().as_str());
    text.ok_or_else(|| {
        let key = argument.and_then(|argument| argument.relative_path().cloned());
        RenderErrorReason::MissingVariable(key).into()
    })
}

/// What is wrong with a template, and in which line.
fn problem(error: &RenderError) -> String {
    let problem = match error.reason() {
        RenderErrorReason::MissingVariable(Some(key)) => format!("there is no value `{key}`"),
        reason => reason.to_string(),
    };
    let problem = match &error.template_name {
        Some(partial) => format!("{problem} (in the partial `{partial}`)"),
        None => problem,
    };
    match error.line_no {
        Some(line) => format!("line {line}: {problem}"),
        None => problem,
    }
}
