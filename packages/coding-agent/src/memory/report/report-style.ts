// The style sheet of the report, for light and dark. Text only; nothing in it refers to another place.
export const REPORT_STYLE = `
:root{color-scheme:light dark;--page:#fcfcfb;--card:#ffffff;--text:#1d1d1b;--soft:#6a6964;--line:#e3e2dd;
--clean:#2a78b8;--repaired:#d99a1c;--bounced:#c2452d;--refused:#7d5ba6;--before:#b9b8b2;--after:#2a78b8;--other:#c9c8c1}
@media (prefers-color-scheme:dark){:root{--page:#1a1a19;--card:#232321;--text:#f1f0ec;--soft:#a3a29b;--line:#3a3936;
--clean:#4f9ad6;--repaired:#e3b04b;--bounced:#e36c54;--refused:#a98bd0;--before:#6b6a65;--after:#4f9ad6;--other:#55544f}}
*{box-sizing:border-box}
body{margin:0;background:var(--page);color:var(--text);font:15px/1.5 system-ui,sans-serif}
main{max-width:60rem;margin:0 auto;padding:2rem 1.25rem 4rem}
h1{font-size:1.5rem;margin:0 0 .25rem}h2{font-size:1.1rem;margin:0 0 .75rem;overflow-wrap:anywhere}
h3{font-size:.95rem;margin:1.25rem 0 .5rem}p{margin:.25rem 0}.soft{color:var(--soft)}
section{background:var(--card);border:1px solid var(--line);border-radius:10px;padding:1.25rem;margin-top:1.25rem}
.tiles{display:flex;flex-wrap:wrap;gap:1rem 2.5rem;margin-top:1rem}.tiles b{display:block;font-size:1.6rem;line-height:1.2}
.legend{display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;margin:.5rem 0 0;padding:0;list-style:none;color:var(--soft);font-size:.85rem}
.legend i{display:inline-block;width:.75rem;height:.75rem;border-radius:3px;margin-right:.4rem;vertical-align:-1px}
.chart{overflow-x:auto}p+.chart{margin-top:.75rem}svg{display:block;width:100%;min-width:46rem;height:auto}svg text{font:12px system-ui,sans-serif;fill:var(--text)}
svg text.soft{fill:var(--soft)}.clean{fill:var(--clean)}.repaired{fill:var(--repaired)}.bounced{fill:var(--bounced)}
.refused{fill:var(--refused)}.before{fill:var(--before)}.after{fill:var(--after)}.other{fill:var(--other)}.axis{stroke:var(--line);stroke-width:1}
i.clean{background:var(--clean)}i.repaired{background:var(--repaired)}i.bounced{background:var(--bounced)}
i.refused{background:var(--refused)}i.other{background:var(--other)}i.before{background:var(--before)}i.after{background:var(--after)}
.wide{overflow-x:auto;margin-top:1rem}table{border-collapse:collapse;width:100%;font-size:.9rem}
th,td{text-align:left;padding:.35rem .75rem .35rem 0;border-bottom:1px solid var(--line);vertical-align:top}
th{font-weight:600;color:var(--soft)}td.n,th.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
pre{margin:.25rem 0 .75rem;padding:.5rem .75rem;border-radius:6px;background:var(--page);font:12px/1.5 ui-monospace,monospace;
white-space:pre-wrap;overflow-wrap:anywhere}
`.trim();
