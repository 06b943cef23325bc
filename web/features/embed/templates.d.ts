declare module 'virtual:embed-templates' {
  /** Written by scripts/embed-templates.ts: the lines of each file in templates/ as lists of tokens. */
  export const templates: Record<string, readonly (readonly (readonly [text: string, kind: number])[])[]>
}
