// The commands of WebDriver that journeys send. A browser's own driver takes them over HTTP, and Firefox without geckodriver
// takes the same ones over its Marionette port, under names of their own.

/** HTTP method, path below the session, and Marionette's name. `{id}` is a parameter, that of an element. */
export const commands = {
  open: ['POST', 'url', 'Navigate'],
  back: ['POST', 'back', 'Back'],
  reload: ['POST', 'refresh', 'Refresh'],
  run: ['POST', 'execute/sync', 'ExecuteScript'],
  runAsync: ['POST', 'execute/async', 'ExecuteAsyncScript'],
  label: ['GET', 'element/{id}/computedlabel', 'GetComputedLabel'],
  click: ['POST', 'element/{id}/click', 'ElementClick'],
  clear: ['POST', 'element/{id}/clear', 'ElementClear'],
  type: ['POST', 'element/{id}/value', 'ElementSendKeys'],
  act: ['POST', 'actions', 'PerformActions'],
  resize: ['POST', 'window/rect', 'SetWindowRect'],
  screenshot: ['GET', 'screenshot', 'TakeScreenshot'],
  forgetCookies: ['DELETE', 'cookie', 'DeleteAllCookies'],
} as const satisfies Record<string, readonly ['GET' | 'POST' | 'DELETE', string, string]>

export type Command = keyof typeof commands

export interface Session {
  /** @throws Error with the browser's own message */
  send(command: Command, parameters?: Record<string, unknown>): Promise<unknown>
  /** Ends the browser and removes its profile. */
  end(): Promise<void>
}
