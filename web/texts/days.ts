/** `1 day`, `60 days` */
export const days = (n: number) => `${n} ${n === 1 ? 'day' : 'days'}`
