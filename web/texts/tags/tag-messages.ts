// Tags of images.
import { limits } from '../../../contract/plain/limits.ts'
import { countedImages } from '../counts.ts'

const { maxLength, maxDepth } = limits.tags

export const tags = {
  label: 'Tags',
  dialogTitle: (n: number) => (n === 1 ? 'Tags of this image' : `Tags of ${countedImages(n)}`),
  add: 'Add a tag',
  hint: 'Enter or a comma adds a tag. travel/italy is a tag below travel.',
  remove: (tag: string) => `Remove ${tag}`,
  onSome: (tag: string, n: number, of: number) => `${tag}, ${n} of ${of}`,
  addToAll: (tag: string) => `Add ${tag} to all`,
  list: 'Your tags',
  create: (tag: string) => `New tag ${tag}`,
  manage: 'All your tags',
  save: 'Save',
  saving: 'Saving...',
  failed: 'The tags could not be saved',
  invalid: `A tag has at most ${maxLength} characters and ${maxDepth} levels, and no commas`,
  changed: (n: number) => `Tags of ${countedImages(n)} changed`,
  unchanged: 'The images have these tags already',
}
