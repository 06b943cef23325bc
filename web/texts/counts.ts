/** `1 day`, `60 days` */
export const days = (n: number) => `${n} ${n === 1 ? 'day' : 'days'}`
/** `1 image`, `2,000 images` */
export const countedImages = (n: number) => (n === 1 ? '1 image' : `${n.toLocaleString('en-US')} images`)
