declare module 'virtual:embed-templates' {
  /** Written by scripts/embed-templates.ts: for each file of templates/ its lines, each a row of tokens. */
  export const templates: Record<string, readonly (readonly (readonly [text: string, kind: number])[])[]>
}
