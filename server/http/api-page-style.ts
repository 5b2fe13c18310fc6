/** The page of the API stands alone: the colours are those of the client's tokens. */
export const PAGE_STYLE = `
:root {
  color-scheme: light dark;
  --bg: light-dark(#f4f5f8, #0f1319);
  --surface: light-dark(#ffffff, #161c25);
  --raised: light-dark(#eef1f5, #1e2632);
  --line: light-dark(#d8dee7, #2b3645);
  --text: light-dark(#17202c, #e8edf4);
  --muted: light-dark(#546274, #9aa8ba);
  --accent: light-dark(#9a6107, #e2a94b);
  --good: light-dark(#1f7a4a, #5cc38a);
  --bad: light-dark(#c43434, #f07a7a);
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--bg); color: var(--text); font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
a { color: var(--accent); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
code, pre, nav a, h2, .method { font-family: ui-monospace, "SF Mono", "Cascadia Mono", Consolas, monospace; }
code { font-size: 0.9em; }
header { padding: 32px 24px 16px; max-width: 1320px; margin: 0 auto; }
h1 { margin: 0 0 8px; font-size: 26px; }
header p { margin: 0; color: var(--muted); }
.page { display: grid; grid-template-columns: minmax(260px, 340px) minmax(0, 1fr); gap: 32px; max-width: 1320px; margin: 0 auto; padding: 0 24px 64px; }
nav { position: sticky; top: 0; max-height: 100vh; overflow: auto; padding: 16px 4px; align-self: start; }
nav ul, details ul { list-style: none; margin: 0; padding: 0; }
nav li { display: flex; flex-wrap: wrap; gap: 6px; align-items: center; padding: 4px 0; }
nav a { flex: 1 1 180px; font-size: 12.5px; text-decoration: none; overflow-wrap: anywhere; }
nav a:hover { text-decoration: underline; }
section { scroll-margin-top: 16px; padding-top: 16px; }
h2 { margin: 0 0 12px; font-size: 17px; overflow-wrap: anywhere; }
article { background: var(--surface); border: 1px solid var(--line); border-radius: 12px; padding: 16px 20px; margin-bottom: 16px; }
h3 { margin: 0; font-size: 15px; display: flex; gap: 10px; align-items: baseline; }
h4, caption { margin: 16px 0 6px; font-size: 13px; font-weight: 600; text-align: left; color: var(--muted); }
small { font-weight: 400; }
.access { margin: 6px 0 0; color: var(--muted); font-size: 13px; }
.method { font-size: 11px; font-weight: 700; color: var(--muted); }
.method.post { color: var(--good); }
.method.put { color: var(--accent); }
.method.delete { color: var(--bad); }
table { width: 100%; border-collapse: collapse; font-size: 13px; margin-top: 12px; }
th, td { text-align: left; vertical-align: top; padding: 6px 12px 6px 0; border-top: 1px solid var(--line); font-weight: 400; overflow-wrap: anywhere; }
pre { margin: 0; padding: 12px 14px; white-space: pre-wrap; overflow-wrap: anywhere; background: var(--raised); border-radius: 9px; font-size: 12.5px; line-height: 1.45; overflow: auto; }
details { margin-top: 10px; border-top: 1px solid var(--line); padding-top: 10px; }
summary { cursor: pointer; font-size: 13px; }
details pre, details ul { margin-top: 10px; font-size: 12.5px; }
.bare { margin: 10px 0 0; padding-top: 10px; border-top: 1px solid var(--line); font-size: 13px; }
@media (max-width: 860px) {
  .page { grid-template-columns: minmax(0, 1fr); gap: 8px; padding: 0 16px 48px; }
  header { padding: 24px 16px 8px; }
  nav { position: static; max-height: none; }
  nav li, summary { min-height: 40px; }
  nav a { line-height: 40px; }
  summary { line-height: 40px; }
  article { padding: 14px; }
  th, td { display: block; padding: 2px 0; }
  td { border-top: 0; color: var(--muted); }
}
`;
