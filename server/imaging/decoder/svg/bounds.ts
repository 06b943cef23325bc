// Limits on the work that one SVG can cause in a renderer. The size limit of the file is in contract/plain/limits.ts.

/** Elements in the file, including removed ones. librsvg needs about 5 KB per element (measured). */
export const maxElements = 20_000

export const maxDepth = 100

/** Attributes per element. Illustrator's and Inkscape's largest elements have fewer than 40. */
export const maxAttributes = 256

/** Elements as rendered, after resolving every `use`, pattern, mask, clip path and marker. */
export const maxDrawnElements = 50_000

/** Nesting depth of `use`: deeper than any drawing program produces, and small enough to follow by recursion. */
export const maxReferenceDepth = 32

/** Filter primitives in the file, and primitives that run when every filtered element is rendered. */
export const maxFilterPrimitives = 64
export const maxFilterRuns = 256

/** Rules of one style sheet, including removed ones. Illustrator's largest tracings have 2,000. */
export const maxRules = 10_000

/** Selectors times elements: every renderer matches each selector against each element. librsvg matches ten million per second. */
export const maxSelectorMatches = 10_000_000
export const maxSelectorCharacters = 100_000_000

export const maxEmbeddedImages = 64
/** Pixels of one embedded image, all frames of an animation together. */
export const maxEmbeddedPixels = 4_000_000
/** Pixels of all embedded images, counted per rendering. */
export const maxDrawnPixels = 16_000_000
