/** The look of all pages but GraphiQL. It stands inline, allowed by its hash, so a page is one request. */
export const PAGE_STYLE = `
:root {
  color-scheme: light dark;
  --ground: #f4f5f7; --surface: #ffffff; --text: #1d2433; --quiet: #5b6478; --line: #dfe3ea;
  --accent: #3b5bdb; --on-accent: #ffffff; --good: #1e7a3c; --bad: #b42318; --code: #eef1f6;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #12151c; --surface: #1b202b; --text: #e8ebf2; --quiet: #a4adc0; --line: #313949;
    --accent: #91a7ff; --on-accent: #12151c; --good: #69db7c; --bad: #ff9b91; --code: #252c3a;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0; padding: 2rem 1rem 3rem; background: var(--ground); color: var(--text);
  font: 1rem/1.6 system-ui, -apple-system, "Segoe UI", Roboto, Helvetica, Arial, sans-serif;
}
header, main, footer { max-width: 44rem; margin: 0 auto; }
header { padding: 0 .25rem 1rem; }
header a { display: inline-flex; align-items: center; gap: .5rem; color: inherit; font-weight: 700; font-size: 1.125rem; text-decoration: none; }
header svg { color: var(--accent); }
main { background: var(--surface); border: 1px solid var(--line); border-radius: 1rem; padding: clamp(1.25rem, 5vw, 2.5rem); }
main.narrow, .narrow-header { max-width: 32rem; }
h1 { margin: 0 0 .75rem; font-size: clamp(1.5rem, 5vw, 1.875rem); line-height: 1.25; letter-spacing: -.01em; }
h2 { margin: 2rem 0 .5rem; font-size: 1.125rem; line-height: 1.3; }
p { margin: 0 0 1rem; overflow-wrap: anywhere; }
a { color: var(--accent); text-underline-offset: .15em; }
.quiet { color: var(--quiet); font-size: .9375rem; }
ul { margin: 0; padding: 0; list-style: none; }
li { padding: .625rem 0; border-top: 1px solid var(--line); }
li:first-child { border-top: 0; }
code, pre { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; font-size: .875rem; }
code { overflow-wrap: anywhere; }
pre { margin: 0 0 1rem; padding: 1rem; overflow-x: auto; border-radius: .5rem; background: var(--code); line-height: 1.5; }
.method { display: inline-block; min-width: 3.75rem; color: var(--quiet); font-weight: 600; }
.does { display: block; color: var(--quiet); font-size: .9375rem; }
form { margin-top: 1.5rem; }
label { display: block; margin-bottom: .25rem; font-weight: 600; }
input { width: 100%; min-height: 2.75rem; margin-bottom: 1rem; padding: .5rem .75rem; border: 1px solid var(--quiet); border-radius: .5rem; background: var(--surface); color: inherit; font: inherit; }
fieldset { margin: 0 0 1rem; padding: 0; border: 0; }
legend { margin-bottom: .25rem; padding: 0; font-weight: 600; }
.choice { display: flex; align-items: center; gap: .75rem; min-height: 2.75rem; margin: 0; font-weight: 400; cursor: pointer; }
.choice input { width: 1.25rem; min-height: 1.25rem; margin: 0; accent-color: var(--accent); }
.after { margin: 2rem 0 0; }
button {
  min-height: 2.75rem; padding: .625rem 1.5rem; border: 0; border-radius: .5rem;
  background: var(--accent); color: var(--on-accent); font: inherit; font-weight: 600; cursor: pointer;
}
button:disabled { opacity: .55; cursor: default; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 3px; border-radius: .25rem; }
[role="status"] { margin-top: 1.25rem; outline: 0; }
[role="status"]:empty { margin: 0; }
.success { color: var(--good); font-weight: 600; }
.problem { color: var(--bad); font-weight: 600; }
[hidden] { display: none; }
@media (max-width: 28rem) { button { width: 100%; } }
`;
