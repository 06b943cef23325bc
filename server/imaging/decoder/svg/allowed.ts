// The allow-lists, named after SVG 2 and Filter Effects 1. Everything else is removed.
// @NOTE A new row must be inert in a browser that opens the file: no reference, no script, no navigation target.

const words = (text: string) => text.trim().split(/\s+/)

const shapes = words('circle ellipse line path polygon polyline rect')
const texts = words('text textPath tspan')
const containers = words('a clipPath defs g linearGradient marker mask pattern radialGradient svg switch symbol')
const primitives = words(`
  feBlend feColorMatrix feComponentTransfer feComposite feConvolveMatrix feDiffuseLighting feDisplacementMap feDropShadow
  feFlood feGaussianBlur feImage feMerge feMorphology feOffset feSpecularLighting feTile feTurbulence`)
const primitiveParts = words('feDistantLight feFuncA feFuncB feFuncG feFuncR feMergeNode fePointLight feSpotLight')
const animations = words('animate animateMotion animateTransform set')

export const elements: ReadonlySet<string> = new Set([
  ...shapes,
  ...texts,
  ...containers,
  ...primitives,
  ...primitiveParts,
  ...animations,
  ...words('filter image mpath stop style use'),
])

/** Elements whose own text is rendered; `a` and `switch` inherit the rule of their parent. */
export const textElements: ReadonlySet<string> = new Set(texts)
export const shapeElements: ReadonlySet<string> = new Set([...shapes, ...texts, 'image'])
export const filterPrimitives: ReadonlySet<string> = new Set(primitives)
export const animationElements: ReadonlySet<string> = new Set(animations)

/** The kind of target of a reference: an element of the same document, or an image in a data: address. */
export const references: Readonly<Record<string, 'element' | 'picture' | 'either'>> = {
  ...Object.fromEntries(
    words('animate animateMotion animateTransform linearGradient mpath pattern radialGradient set textPath use').map(
      (name) => [name, 'element'] as const,
    ),
  ),
  feImage: 'either',
  image: 'picture',
}

/** Elements without meaning when they have no reference. */
export const needsReference: ReadonlySet<string> = new Set(['image', 'mpath', 'use'])

/** Properties that may refer to an element of the same document with url(#id). */
export const referringProperties: ReadonlySet<string> = new Set(
  words('clip-path fill filter marker marker-end marker-mid marker-start mask stroke'),
)

/** Presentation attributes: also CSS properties, parsed by CSS grammar (SVG 2, appendix "Property index"). */
const presentation = words(`
  alignment-baseline baseline-shift clip clip-path clip-rule color color-interpolation color-interpolation-filters
  color-rendering cx cy direction display dominant-baseline fill fill-opacity fill-rule filter flood-color
  flood-opacity font-family font-size font-size-adjust font-stretch font-style font-variant font-weight
  glyph-orientation-horizontal glyph-orientation-vertical height image-rendering kerning letter-spacing lighting-color
  marker-end marker-mid marker-start mask mask-type opacity overflow paint-order pointer-events r rx ry
  shape-rendering stop-color stop-opacity stroke stroke-dasharray stroke-dashoffset stroke-linecap stroke-linejoin
  stroke-miterlimit stroke-opacity stroke-width text-anchor text-decoration text-overflow text-rendering transform
  transform-origin unicode-bidi vector-effect visibility white-space width word-spacing writing-mode x y`)

export const properties: ReadonlySet<string> = new Set([
  ...presentation,
  ...words(`
    background background-color font font-feature-settings font-kerning font-optical-sizing font-synthesis
    font-variant-caps font-variant-east-asian font-variant-ligatures font-variant-numeric font-variant-position
    font-variation-settings inline-size isolation line-height marker mix-blend-mode text-align text-align-last
    text-decoration-color text-decoration-line text-decoration-style text-decoration-thickness text-indent
    text-orientation text-transform transform-box`),
])

/** CSS functions for colours, lengths, transforms, shapes and filters. url() has its own rule; none of these loads anything. */
export const cssFunctions: ReadonlySet<string> = new Set(
  words(`
    rgb rgba hsl hsla hwb lab lch oklab oklch color color-mix light-dark
    calc min max clamp var
    matrix matrix3d perspective rotate rotate3d rotatex rotatey rotatez scale scale3d scalex scaley scalez
    skew skewx skewy translate translate3d translatex translatey translatez
    circle ellipse inset path polygon rect
    blur brightness contrast drop-shadow grayscale hue-rotate invert opacity saturate sepia`),
)

/** Filter functions cost as much as a filter primitive. */
export const filterFunctions: ReadonlySet<string> = new Set(
  words('blur brightness contrast drop-shadow grayscale hue-rotate invert opacity saturate sepia'),
)

/** How an attribute's value is parsed: the grammars are in attributes.ts. */
export type AttributeKind = 'css' | 'transform' | 'plain' | 'name' | 'names' | 'list' | 'timing' | 'target' | 'animated'

const kinds: Record<AttributeKind, string[]> = {
  css: presentation,
  // As attributes these do not follow CSS grammar: a path is one long token, and transforms allow a space before the parenthesis.
  transform: words('gradientTransform patternTransform transform'),
  plain: words(`
    accumulate additive amplitude azimuth baseFrequency bias calcMode clipPathUnits d diffuseConstant divisor dur dx dy
    edgeMode elevation exponent filterUnits fr fx fy gradientUnits intercept k1 k2 k3 k4 kernelMatrix
    kernelUnitLength lengthAdjust limitingConeAngle markerHeight markerUnits markerWidth maskContentUnits maskUnits
    max method min mode numOctaves offset operator order orient origin pathLength path patternContentUnits
    patternUnits points pointsAtX pointsAtY pointsAtZ preserveAlpha preserveAspectRatio primitiveUnits radius refX refY
    repeatCount repeatDur restart rotate scale seed side slope spacing specularConstant specularExponent spreadMethod
    startOffset stdDeviation stitchTiles surfaceScale systemLanguage tableValues targetX targetY textLength type
    version viewBox x1 x2 xChannelSelector y1 y2 yChannelSelector z zoomAndPan`),
  name: words('id in in2 result'),
  names: ['class'],
  list: words('keyPoints keySplines keyTimes'),
  timing: words('begin end'),
  target: ['attributeName'],
  animated: words('by from to values'),
}

export const attributes: ReadonlyMap<string, AttributeKind> = new Map(
  Object.entries(kinds).flatMap(([kind, names]) => names.map((name) => [name, kind as AttributeKind] as const)),
)

/**
 * The attributes that an animation may change: attributes that a still image could have as well, and no reference. With
 * this list and the grammar of the values, every state of an animated SVG is an SVG that would be accepted by itself.
 */
export const animatable: ReadonlySet<string> = new Set(
  words(`
    color cx cy d dx dy display fill fill-opacity font-size fx fy gradientTransform height letter-spacing offset opacity
    patternTransform points r rotate rx ry startOffset stop-color stop-opacity stroke stroke-dasharray stroke-dashoffset
    stroke-linecap stroke-linejoin stroke-miterlimit stroke-opacity stroke-width textLength transform viewBox visibility
    width word-spacing x x1 x2 y y1 y2`),
)
