// A page in a browser that its own driver drives: finds elements by role and name, as people with a screen reader do.
import { expect } from '@playwright/test'
import type { Session } from './session.ts'

/** Elements of a role. Their names come from the browser itself. */
const selectors = {
  button: 'button, [role=button]',
  checkbox: 'input[type=checkbox], [role=checkbox]',
  dialog: 'dialog, [role=dialog]',
  field: 'input:not([type=file]), textarea',
  group: '[role=group]',
  heading: 'h1, h2, h3',
  image: 'img',
  link: 'a[href]',
  menuitem: '[role=menuitem]',
  switch: '[role=switch]',
  tab: '[role=tab]',
} as const

type Role = keyof typeof selectors

/** The property of a reference to an element. https://www.w3.org/TR/webdriver2/#elements */
const elementKey = 'element-6066-11e4-a52e-4f735466cecf'
type Reference = Record<typeof elementKey, string>

/** Keys without a character, as WebDriver writes them. */
export const keys = {
  control: '\uE009',
  delete: '\uE017',
  enter: '\uE007',
  escape: '\uE00C',
  right: '\uE014',
  tab: '\uE004',
}

/** Below that of a journey, so that a failure says what was missing. For what never ends: two browsers may share the machine. */
const timeout = 60_000

/** Methods wait until they can do what they are asked for. */
export type DrivenPage = ReturnType<typeof drivenPage>

/** @param site the server's URL */
export function drivenPage(session: Session, site: string) {
  /** Runs a function in the page. It must use only its arguments. */
  async function run<Result, Arguments extends readonly unknown[]>(
    task: (...args: Arguments) => Result,
    ...args: Arguments
  ): Promise<Awaited<Result>> {
    const script = `const end = arguments[arguments.length - 1]
      Promise.resolve((${String(task)})(...[...arguments].slice(0, -1))).then(end, (error) => end({ failed: String(error) }))`
    const result = await session.send('runAsync', { script, args })
    const failed = (result as { failed?: string } | null)?.failed
    if (failed !== undefined) throw new Error(failed)
    return result as Awaited<Result>
  }

  /** The visible elements of a role, by their names. One that is gone a moment later has none. */
  async function namesOf(role: Role): Promise<{ id: string; name: string }[]> {
    const elements = (await session.send('run', {
      script: 'return [...document.querySelectorAll(arguments[0])].filter((element) => element.checkVisibility())',
      args: [selectors[role]],
    })) as Reference[]
    const named = []
    for (const { [elementKey]: id } of elements) {
      const name = await session.send('label', { id }).then(String, (error: Error) => {
        if (/^(stale element|no such element)/.test(error.message)) return ''
        throw error
      })
      named.push({ id, name: name.trim() })
    }
    return named
  }

  const hasName = (wanted: string | RegExp) => (one: { name: string }) =>
    typeof wanted === 'string' ? one.name === wanted : wanted.test(one.name)

  /** Tries until one element has the name and accepts what is done to it: another one may still cover it. */
  async function withElement(role: Role, name: string | RegExp, act: (id: string) => Promise<unknown>): Promise<void> {
    await expect(async () => {
      const all = await namesOf(role)
      const [found, ...others] = all.filter(hasName(name))
      if (found === undefined || others.length > 0)
        throw new Error(
          `${role} ${name}: ${found === undefined ? 'none' : 'several'} of ${all.map((one) => one.name).join(', ')}`,
        )
      await act(found.id)
    }).toPass({ timeout })
  }

  /** Presses the keys at the same time, such as Control and K. */
  async function press(...pressed: string[]): Promise<void> {
    const actions = [
      ...pressed.map((value) => ({ type: 'keyDown', value })),
      ...pressed.toReversed().map((value) => ({ type: 'keyUp', value })),
    ]
    await session.send('act', { actions: [{ type: 'key', id: 'keyboard', actions }] })
  }

  const text = () => run(() => document.body.innerText)

  return {
    run,
    text,
    open: (path: string) => session.send('open', { url: site + path }),
    back: () => session.send('back'),
    reload: () => session.send('reload'),
    /** Of a field. */
    async valueOf(name: string | RegExp) {
      let value = ''
      await withElement('field', name, async (id) => {
        const args = [{ [elementKey]: id }]
        value = String(await session.send('run', { script: 'return arguments[0].value', args }))
      })
      return value
    },
    focus: (role: Role, name: string | RegExp) =>
      withElement(role, name, (id) =>
        session.send('run', { script: 'arguments[0].focus()', args: [{ [elementKey]: id }] }),
      ),
    /** In their own pixels, of the images that have loaded. */
    loadedWidths: () => run(() => [...document.images].map((image) => image.naturalWidth)),
    path: () => run(() => location.pathname + location.search),
    click: (role: Role, name: string | RegExp) => withElement(role, name, (id) => session.send('click', { id })),
    fill: (name: string | RegExp, value: string) =>
      withElement('field', name, async (id) => {
        await session.send('clear', { id })
        await session.send('type', { id, text: value })
      }),
    /** Waits until an element of this role and name is visible. */
    sees: (role: Role, name: string | RegExp) => withElement(role, name, async () => {}),
    seesNo: (role: Role, name: string | RegExp) =>
      expect.poll(async () => (await namesOf(role)).filter(hasName(name)), { timeout }).toEqual([]),
    reads: (part: string | RegExp) => expect.poll(text, { timeout }).toMatch(part),
    press,
    /** Gives files to the upload area, as its file dialog does. */
    async choose(...paths: string[]) {
      await expect(async () => {
        const script = `return document.querySelector('input[type=file]:not([webkitdirectory])')`
        const input = (await session.send('run', { script, args: [] })) as Reference
        await session.send('type', { id: input[elementKey], text: paths.join('\n') })
      }).toPass({ timeout })
    },
    /** Puts a PNG into the clipboard, which browsers allow at the press of a key. */
    async copyImage(png: Buffer) {
      await run((base64) => {
        const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
        const item = new ClipboardItem({ 'image/png': new Blob([bytes], { type: 'image/png' }) })
        const copied = new Promise((resolve, reject) => {
          const copy = () => void navigator.clipboard.write([item]).then(resolve, reject)
          addEventListener('keydown', copy, { once: true })
        })
        Object.assign(window, { copied })
      }, png.toString('base64'))
      await press(keys.enter)
      await run(() => (window as unknown as { copied: Promise<void> }).copied)
    },
    /** Drops an image on the page, as a file manager does. */
    async drop(name: string, png: Buffer) {
      await run(
        (given, base64) => {
          const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
          const dataTransfer = new DataTransfer()
          dataTransfer.items.add(new File([bytes], given, { type: 'image/png' }))
          for (const type of ['dragenter', 'dragover', 'drop'])
            document.body.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }))
        },
        name,
        png.toString('base64'),
      )
    },
    async screenshot() {
      return Buffer.from(String(await session.send('screenshot', { full: false })), 'base64')
    },
  }
}
