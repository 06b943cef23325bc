// What an API key may do. Without zod, so that the page can import it.

/** `manage` includes the others. */
export const scopes = ['upload', 'read', 'manage'] as const
export type Scope = (typeof scopes)[number]

/** All scopes that a key with these has, in the order of {@link scopes}. */
export const grantedBy = (given: readonly Scope[]): Scope[] =>
  scopes.filter((scope) => given.includes(scope) || given.includes('manage'))
