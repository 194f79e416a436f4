//! Helpers of templates, beyond inserting a value.

use handlebars::{
    Context, Handlebars, Helper, HelperResult, Output, RenderContext, RenderError,
    RenderErrorReason,
};

use crate::wording::toml_string;

/// Helpers that branch, loop or look things up: a choice is a layer, and never made in a file.
const LOGIC: [&str; 7] = ["if", "unless", "each", "with", "lookup", "raw", "log"];

pub fn register(handlebars: &mut Handlebars) {
    for name in LOGIC {
        handlebars.unregister_helper(name);
    }
    handlebars.register_helper("toml", Box::new(toml));
    handlebars.register_helper("docstring", Box::new(docstring));
}

/// `{{toml description}}`: a TOML string, quotes included.
fn toml(
    helper: &Helper,
    _: &Handlebars,
    _: &Context,
    _: &mut RenderContext,
    out: &mut dyn Output,
) -> HelperResult {
    Ok(out.write(&toml_string(argument(helper)?))?)
}

/// `{{docstring description}}`: text inside a Python `"""` string, quotes not included.
fn docstring(
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
