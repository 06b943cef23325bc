// The trash, which users know as "Recently deleted".
import { countedImages, days } from './counts.ts'

export const trash = {
  title: 'Recently deleted',
  text: (kept: number) =>
    `What you delete can be restored for ${days(kept)}, at most until it expires. Nobody else can open it meanwhile, and it counts towards your storage.`,
  back: 'Back to your images',
  list: 'Deleted images',
  count: countedImages,
  daysLeft: (left: number) => (left <= 1 ? 'Last day' : `${days(left)} left`),
  select: (name: string) => `Select ${name}`,
  restore: 'Restore',
  restoreNamed: (name: string) => `Restore ${name}`,
  restoring: 'Restoring...',
  restoreFailed: 'Failed to restore',
  delete: 'Delete for good',
  deleteNamed: (name: string) => `Delete ${name} for good`,
  deleteTitle: (n: number) => (n === 1 ? 'Delete this image for good?' : `Delete ${countedImages(n)} for good?`),
  deleteText: 'This cannot be undone.',
  deleting: 'Deleting...',
  deleted: (n: number) => `${countedImages(n)} deleted for good`,
  deleteFailed: 'Failed to delete',
  empty: 'Empty',
  emptyTitle: 'Delete everything here for good?',
  emptyText: (n: number) => `${countedImages(n)} will be gone, and your storage is free again. This cannot be undone.`,
  emptied: 'Nothing is left in Recently deleted',
  noneYet: 'Nothing here',
  noneYetText: (kept: number) => `Images that you delete are here for ${days(kept)}.`,
  failed: 'Deleted images could not be loaded',
  moreFailed: 'More deleted images could not be loaded',
}
