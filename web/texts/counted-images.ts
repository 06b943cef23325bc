/** `1 image`, `2,000 images` */
export const countedImages = (n: number) => (n === 1 ? '1 image' : `${n.toLocaleString('en-US')} images`)
