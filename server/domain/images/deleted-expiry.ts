/**
 * Expiry times of images whose deletion can be undone, in the past by every clock: every query treats them as
 * expired. They record who deleted them, and whether they are in the trash of their owner.
 */
export const deletedExpiry = { byOwner: 0, byAdmin: 1, toTrash: 2 }
export type Deletion = keyof typeof deletedExpiry

/** Every later expiry is a time. */
export const lastDeletedExpiry = Math.max(...Object.values(deletedExpiry))
