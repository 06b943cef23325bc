// Limits of the document panel: a document of 1 MB must not block the page.

export const panelLimits = {
  /** Fields, keys and items shown at once; the others follow in slices. */
  slice: 100,
  /** Longer text is truncated; each "show more" multiplies the length by ten. */
  textPreviewChars: 300,
  /** Rows of the tree that are expanded at first. */
  initiallyOpenLines: 300,
  /** Longer text is edited in a textarea. */
  longTextChars: 50,
  /** Longer text has no `dir="auto"`: 1 MB with it took Chromium 20 s to lay out. */
  largeTextChars: 10_000,
} as const
