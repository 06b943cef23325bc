// The style and the script of share pages. The page works without the script, which copies, shares
// and zooms, and applies the theme that the reader has chosen on the site.

/** The colours, radii and sizes of web/styles.css. */
export const style = `
:root { color-scheme: light dark; --bg: light-dark(#f9fafb, #0d0e11); --surface: light-dark(#fff, #15171a);
  --surface-2: light-dark(#f3f4f6, #1d1f23); --text: light-dark(#14171d, #eef0f3); --text-2: light-dark(#4b5058, #b2b6bc);
  --border: light-dark(#dde0e4, #2e3237); --border-strong: light-dark(#81878d, #6e747b);
  --accent: light-dark(#2255d5, #3568e3); --accent-hover: light-dark(#1544c0, #2b5edb);
  --accent-text: light-dark(#1c4cc8, #8ab0fe); --focus: light-dark(#2255d5, #8ab0fe); }
[data-theme=light] { color-scheme: light; }
[data-theme=dark] { color-scheme: dark; }
* { box-sizing: border-box; }
html { background: var(--bg); color: var(--text); }
body { margin: 0; font: .9375rem/1.375rem ui-sans-serif, system-ui, sans-serif; overflow-wrap: anywhere; }
header { padding: 0 1rem; background: var(--surface); border-bottom: 1px solid var(--border); }
header a { display: inline-flex; align-items: center; gap: .625rem; min-height: 3.75rem; color: inherit;
  font-weight: 600; text-decoration: none; }
main { max-width: 75rem; margin: 0 auto; padding: 1rem 1rem 3rem; }
.picture { display: grid; place-items: center; overflow: hidden; border-radius: 14px; cursor: zoom-in;
  background: var(--surface-2); border: 1px solid var(--border); }
.picture img { display: block; height: auto; object-fit: contain; }
.zoomed { overflow: hidden; }
.zoomed .picture { position: fixed; inset: 0; z-index: 1; overflow: auto; place-items: safe center; cursor: zoom-out;
  border: 0; border-radius: 0; background: #0d0e11; }
.zoomed .picture img { width: auto; max-width: none; }
.columns { display: grid; gap: 1.5rem 3rem; margin-top: 1.25rem; }
.columns > * { min-width: 0; }
h1 { margin: 0; font-size: 1.375rem; line-height: 1.75rem; font-weight: 600; letter-spacing: -.015em; text-wrap: balance; }
h2 { margin: 1.5rem 0 .5rem; font-size: .9375rem; line-height: 1.375rem; font-weight: 600; }
p { margin: .25rem 0 0; color: var(--text-2); }
a { color: var(--accent-text); text-underline-offset: 3px; }
ul { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; margin: 0; padding: 0; list-style: none; }
ul a, .report { display: inline-block; padding: .25rem 0; font-variant-numeric: tabular-nums; }
.report { margin-top: 1rem; }
.actions { display: flex; flex-wrap: wrap; gap: .5rem; margin-top: 1rem; }
.button { display: inline-flex; align-items: center; justify-content: center; min-height: 2.5rem; padding: 0 1rem;
  border: 1px solid var(--border-strong); border-radius: 10px; background: var(--surface); color: var(--text);
  font: inherit; font-weight: 500; text-decoration: none; white-space: nowrap; cursor: pointer; }
.button:hover { background: var(--surface-2); }
.primary { border-color: transparent; background: var(--accent); color: #fff; }
.primary:hover { background: var(--accent-hover); }
[hidden] { display: none; }
.link { display: grid; grid-template-columns: 1fr auto; gap: .25rem .5rem; margin-top: .75rem; }
.link:has([hidden]) { grid-template-columns: 1fr; }
label { grid-column: 1 / -1; font-size: .8125rem; line-height: 1.125rem; color: var(--text-2); }
input { width: 100%; min-width: 0; min-height: 2.5rem; padding: 0 .75rem; border: 1px solid var(--border-strong);
  border-radius: 10px; background: var(--surface); color: var(--text); font: .875rem ui-monospace, monospace; }
.link [data-copy] { min-width: 6.5rem; }
:focus-visible { outline: 2px solid var(--focus); outline-offset: 2px; }
.status { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.failure { display: grid; place-items: center; gap: 1rem; min-height: 60vh; text-align: center; }
@media (pointer: coarse) { .button, input { min-height: 2.75rem; } ul a, .report { padding: .75rem 0; } }
@media (min-width: 720px) { header, main { padding-inline: 1.5rem; } }
@media (min-width: 1024px) { .columns { grid-template-columns: 1fr 1fr; } .columns h2:first-child { margin-top: 0; } }
@media (min-width: 2200px) { html { font-size: 106.25%; } main { max-width: 88rem; } }
@media (min-width: 3200px) { html { font-size: 118.75%; } main { max-width: 110rem; } }
@media (prefers-contrast: more) { :root { --border: var(--border-strong); } }
`

/** Sets the theme before the first paint. Buttons that need a script are hidden until there is one. */
export const script = `
try {
  const theme = localStorage.getItem('theme')
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
} catch {}
addEventListener('DOMContentLoaded', () => {
  const status = document.querySelector('.status')
  for (const button of document.querySelectorAll('[data-copy]')) {
    const input = button.previousElementSibling
    const label = button.textContent
    button.hidden = false
    input.onfocus = () => input.select()
    button.onclick = async () => {
      try {
        await navigator.clipboard.writeText(input.value)
      } catch {
        input.select()
        if (!document.execCommand('copy')) return
        button.focus()
      }
      button.textContent = status.textContent = button.dataset.copy
      setTimeout(() => {
        button.textContent = label
        status.textContent = ''
      }, 2000)
    }
  }
  const share = document.querySelector('[data-share]')
  const data = { title: document.querySelector('h1').textContent, url: share.dataset.share }
  if (navigator.canShare?.(data)) {
    share.hidden = false
    share.onclick = () => navigator.share(data).catch(() => {})
  }
  const picture = document.querySelector('.picture')
  const image = picture.querySelector('img')
  const zoom = (isZoomed) => {
    document.body.classList.toggle('zoomed', isZoomed)
    image.sizes = isZoomed ? image.getAttribute('width') + 'px' : picture.dataset.sizes
  }
  picture.onclick = (event) => {
    if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    zoom(!document.body.classList.contains('zoomed'))
  }
  addEventListener('keydown', ({ key }) => key === 'Escape' && zoom(false))
})
`
