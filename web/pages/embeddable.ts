import type { ShownImage } from '../data/stored-image.ts'

/** An image as the embed feature wants it. */
export const embeddable = ({ url, original_name, width, height }: ShownImage) => ({
  url,
  name: original_name,
  width,
  height,
})
