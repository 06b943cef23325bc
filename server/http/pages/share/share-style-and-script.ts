// The style and the script of share pages. The page works without the script, which copies, shares
// and zooms, and applies the theme that the reader has chosen on the site.

/** What the frame of all pages (../page-frame.ts) does not have. */
export const style = `
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
h2, summary { margin: 1.5rem 0 .5rem; font-size: .9375rem; line-height: 1.375rem; font-weight: 600; }
ul { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; margin: 0; padding: 0; list-style: none; }
ul a, .report { display: inline-block; padding: .25rem 0; font-variant-numeric: tabular-nums; }
.report { margin-top: 1rem; }
.link { display: grid; grid-template-columns: 1fr auto; gap: .25rem .5rem; margin-top: .75rem; }
.link:has([hidden]) { grid-template-columns: 1fr; }
label { grid-column: 1 / -1; font-size: .8125rem; line-height: 1.125rem; color: var(--text-2); }
input { width: 100%; min-width: 0; min-height: 2.5rem; padding: 0 .75rem; border: 1px solid var(--border-strong);
  border-radius: 10px; background: var(--surface); color: var(--text); font: .875rem ui-monospace, monospace; }
.link [data-copy] { min-width: 6.5rem; }
summary { width: fit-content; margin-bottom: 0; padding: .25rem 0; cursor: pointer; }
.status { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
@media (pointer: coarse) { input { min-height: 2.75rem; } ul a, .report, summary { padding: .75rem 0; } }
@media (min-width: 720px) { main { padding-inline: 1.5rem; } }
section:last-child > :first-child, section > .link:first-child { margin-top: 0; }
@media (min-width: 1024px) { .columns { grid-template: auto 1fr / 1fr 1fr; } section:nth-child(2) { grid-row: span 2; } }
@media (min-width: 2200px) { main { max-width: 88rem; } }
@media (min-width: 3200px) { main { max-width: 110rem; } }
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
