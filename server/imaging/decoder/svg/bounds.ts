// What one SVG may ask of a renderer. The size of the file itself is in the contract.

/** Elements in the file, dropped ones too. librsvg needs about 5 KB for each (measured). */
export const maxElements = 20_000

export const maxDepth = 100

/** Illustrator's and Inkscape's busiest elements stay under 40. */
export const maxAttributes = 256

/** Elements as drawn, when every `use`, pattern, mask, clip path and marker has been followed. */
export const maxDrawnElements = 50_000

/** `use` of `use` of ...: deeper than any drawing program nests them, and shallow enough to follow by recursion. */
export const maxReferenceDepth = 32

/** Filter primitives written in the file, and primitives that run when each filtered element has been drawn. */
export const maxFilterPrimitives = 64
export const maxFilterRuns = 256

/** Rules of one style sheet, left out ones too. Illustrator's busiest tracings have 2,000. */
export const maxRules = 10_000

/** Selectors times elements: every renderer asks each selector about each element. librsvg asks ten million in a second. */
export const maxSelectorMatches = 10_000_000
export const maxSelectorCharacters = 100_000_000

export const maxEmbeddedPictures = 64
/** One embedded picture, all frames of an animation together. */
export const maxEmbeddedPixels = 4_000_000
/** All embedded pictures, each as often as it is drawn. */
export const maxDrawnPixels = 16_000_000
