/** An error whose message is a text for people. Other messages are for the console. */
export class ShownError extends Error {}

/** The server's text; without a response a sentence that says so; else `fallback`. */
export const errorText = (error: unknown, fallback: string) =>
  error instanceof ShownError && error.message !== '' ? error.message : fallback
