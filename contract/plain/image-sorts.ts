/** The orders of a list of images. Each column can be read both ways; ties are in the order of the ids. */
export const imageSorts = [
  'newest',
  'oldest',
  'expiry',
  'expiry_desc',
  'largest',
  'smallest',
  'name',
  'name_desc',
  'views',
  'views_asc',
] as const
