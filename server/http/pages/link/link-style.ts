// The style of the pages of links: what the frame of all pages (../page-frame.ts) does not have.
import { inline } from '../html.ts'

/**
 * The rows of the grid are justified without a script: images grow in proportion to their aspect ratio `--r`, so that those
 * in a row stay equally high. The empty space behind the last one takes most of what is left of its row: these images grow a
 * little too, so that they are about as high as the rows above.
 */
export const linkStyle = inline(
  'style',
  `
main { --h: clamp(8rem, 20vw, 17rem); --gap: .375rem; max-width: 120rem; margin: 0 auto; padding: 0 .375rem 4rem; }
.head { display: flex; flex-wrap: wrap; gap: 1.25rem 3rem; align-items: flex-end; justify-content: space-between;
  padding: clamp(1.5rem, 3.5vw, 2.75rem) .625rem clamp(1.25rem, 2vw, 1.75rem); }
.head > div { flex: 1 1 24rem; min-width: 0; max-width: 48rem; }
.head h1 { font-size: clamp(1.75rem, 1.3rem + 2vw, 2.75rem); line-height: 1.12; font-weight: 640; letter-spacing: -.028em; }
.lead { max-width: 44rem; margin-top: .75rem; font-size: 1.0625rem; line-height: 1.6; white-space: pre-line; }
.facts { margin-top: .75rem; color: var(--text-3); font-variant-numeric: tabular-nums; }
.head .actions { margin: 0; }
.up { display: inline-block; margin-bottom: .75rem; padding: .25rem 0; text-decoration: none; }
.up::before { content: '← '; }
.grid { display: flex; flex-wrap: wrap; align-items: flex-start; gap: var(--gap); }
.grid::after { content: ''; flex: 1000 1 0; }
.grid a { position: relative; flex: calc(var(--r) * 100) 1 calc(var(--r) * var(--h)); aspect-ratio: var(--r); min-width: 0;
  border-radius: 4px; overflow: hidden; background: var(--c, var(--surface-2)); }
.few { --h: clamp(11rem, (min(100vw, 120rem) - 5rem) / var(--sum), 26rem); }
@media (max-width: 719px) { .few::after { display: none; } }
.grid img, .albums img { display: block; width: 100%; height: 100%; object-fit: cover; }
.grid a::after { content: ''; position: absolute; inset: 0; border-radius: inherit; box-shadow: inset 0 0 0 1px rgb(127 127 127 / .18); }
.grid a:focus-visible { outline-offset: -3px; outline-color: #fff; box-shadow: 0 0 0 3px var(--focus); }
.limited { display: grid; place-content: center; padding: 1rem; text-align: center; font-size: .8125rem; }
.albums { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(11rem, 44%), 1fr)); gap: 1.25rem .75rem; margin: 0;
  padding: 0 .625rem 2rem; list-style: none; }
.albums a { display: block; color: inherit; text-decoration: none; }
.albums .cover { display: block; aspect-ratio: 4 / 3; margin-bottom: .5rem; border-radius: 12px; overflow: hidden;
  background: var(--c, var(--surface-2)); border: 1px solid var(--border); }
.albums strong { display: block; font-weight: 600; }
.albums a:hover strong { text-decoration: underline; text-underline-offset: 3px; }
.albums small { color: var(--text-3); font-size: .8125rem; }
.more { display: flex; width: fit-content; min-width: 10rem; margin: 2rem auto 0; }
.more[aria-busy=true] { opacity: .6; }
.one { display: grid; place-items: center; padding-top: clamp(.375rem, 2vw, 2rem); }
.one a { display: block; max-width: 100%; width: var(--w); aspect-ratio: var(--r); border-radius: 10px; overflow: hidden;
  background: var(--c, var(--surface-2)); }
.one img { display: block; width: 100%; height: 100%; }
.one + .head { width: 100%; max-width: max(var(--w), min(100%, 36rem)); margin: 0 auto; padding: 1.25rem .625rem 2rem; }
.one + .head h1 { font-size: 1.375rem; line-height: 1.75rem; letter-spacing: -.015em; }
.empty { max-width: 30rem; margin: 8vh auto; padding: 0 1rem; text-align: center; }
.empty h2 { margin: 0; font-size: 1.25rem; line-height: 1.6rem; font-weight: 600; }
@media (min-width: 720px) { main { --gap: .5rem; padding-inline: 1.5rem; } .head, .albums, .one + .head { padding-inline: 0; } }
@media (hover: hover) { .grid img { transition: transform .5s cubic-bezier(.2,.7,.2,1); } .grid a:hover img { transform: scale(1.025); } }
.viewer { width: 100%; max-width: none; height: 100%; max-height: none; margin: 0; padding: 0; border: 0; overflow: hidden;
  color-scheme: dark; background: #0b0c0e; color: #eef0f3; touch-action: pinch-zoom; user-select: none; }
.viewer::backdrop { background: #0b0c0e; }
.stage { position: absolute; inset: 0; display: grid; grid-template: 100% / 100%; place-items: center; }
.stage img { grid-area: 1 / 1; width: min(100vw, 100dvh * var(--r), var(--x)); height: auto; max-width: 100%; max-height: 100%; aspect-ratio: var(--r); object-fit: contain;
  background: center / 100% 100% no-repeat; animation: appear .25s; }
@keyframes appear { from { opacity: 0; } }
.bar, .side { position: absolute; z-index: 1; display: flex; align-items: center; transition: opacity .3s; }
.bar { top: 0; right: 0; left: 0; gap: .25rem; padding: .5rem max(.5rem, env(safe-area-inset-right)) 1.5rem .75rem; background: linear-gradient(#0b0c0ecc, #0b0c0e00); }
.bar output { margin-right: auto; padding: 0 .25rem; font-size: .875rem; font-variant-numeric: tabular-nums; color: #d6d8dc; }
.side { top: 50%; margin-top: -1.375rem; }
#previous { left: .75rem; } #next { right: .75rem; }
.round { display: grid; place-items: center; width: 2.75rem; height: 2.75rem; padding: 0; border: 0; border-radius: 50%;
  background: #0b0c0e80; color: #fff; cursor: pointer; }
.round:hover { background: #33363ccc; }
.round:focus-visible { outline-color: #8ab0fe; }
.round svg { width: 1.375rem; height: 1.375rem; fill: none; stroke: currentColor; stroke-width: 2; stroke-linecap: round; stroke-linejoin: round; }
.round[aria-pressed=true] .play, .round[aria-pressed=false] .pause { display: none; }
.caption { position: absolute; right: 0; bottom: 0; left: 0; margin: 0; padding: 2rem 1rem max(1rem, env(safe-area-inset-bottom));
  text-align: center; color: #eef0f3; background: linear-gradient(#0b0c0e00, #0b0c0ecc); transition: opacity .3s; }
.caption:empty { display: none; }
.idle :is(.bar, .side, .caption) { opacity: 0; }
.idle { cursor: none; }
@media (pointer: coarse) and (max-width: 719px) { .side { display: none; } }
@media (prefers-reduced-motion: reduce) { .stage img { animation: none; } .grid a:hover img { transform: none; } }
#play:disabled { opacity: .6; cursor: default; }
/* Without a script there is no slideshow; its button takes its place before the script is there. */
@media (scripting: none) { #play { display: none; } }
@media print { header, .actions, .more, .viewer { display: none; } .grid a { break-inside: avoid; } }
`,
)

/** Of the pages with a text instead of images. */
export const textPageStyle = inline(
  'style',
  `
main { width: calc(100% - 2rem); max-width: 24rem; margin: auto; padding: 2rem 1.75rem 1.75rem; border-radius: 18px;
  background: var(--surface); border: 1px solid var(--border); }
.lock { display: grid; place-items: center; width: 3rem; height: 3rem; margin: 0 0 1.25rem; border-radius: 14px; background: var(--surface-2); color: var(--accent-text); }
.lock svg { width: 1.5rem; height: 1.5rem; fill: none; stroke: currentColor; stroke-width: 1.75; stroke-linecap: round; stroke-linejoin: round; }
main p { margin-top: .5rem; }
form { display: grid; gap: .375rem; margin-top: 1.5rem; }
label { font-size: .8125rem; line-height: 1.125rem; font-weight: 500; }
input { width: 100%; min-height: 2.75rem; padding: 0 .75rem; border: 1px solid var(--border-strong); border-radius: 10px;
  background: var(--bg); color: var(--text); font: 1rem inherit; font-family: inherit; }
input[aria-invalid=true] { border-color: var(--danger); }
form .button { margin-top: .625rem; min-height: 2.75rem; }
.wrong { color: light-dark(#b3161a, #ff9a9c); font-size: .875rem; }
`,
)
