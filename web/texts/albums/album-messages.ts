// Albums: their list, the page of one, and how images get into them.
import { countedImages } from '../counts.ts'

export const albums = {
  title: 'Albums',
  text: 'Put images in an order of your own, in as many albums as you like. The images stay among yours.',
  list: 'Your albums',
  inside: 'Albums inside',
  insideOf: (title: string) => `Albums inside ${title}`,
  create: 'New album',
  createLive: 'New album from a search',
  fromSearch: 'From a search',
  failed: 'Your albums could not be loaded',
  none: 'No albums yet',
  noneText: 'Select images and put them into an album, or start with an empty one.',
  images: countedImages,
  live: 'Live',
  private: 'Private',
  by: (name: string) => `By ${name}`,
  /** Of a tile, for screen readers. */
  named: (title: string, images: number, marks: readonly string[]) =>
    [title, countedImages(images), ...marks].join(', '),
}

export const albumForm = {
  newTitle: 'New album',
  newInside: (title: string) => `New album in ${title}`,
  liveTitle: 'Save this search as album',
  editTitle: 'Edit album',
  title: 'Title',
  titleHint: 'For example Italy 2026',
  description: 'Description',
  query: 'Search',
  queryHint: 'The album always shows what this search finds, newest first.',
  visibility: 'New uploads into it',
  visibilities: { account: 'As in the account', public: 'Public', private: 'Private' },
  parent: 'Inside',
  noParent: 'No other album',
  create: 'Create album',
  creating: 'Creating...',
  save: 'Save',
  saving: 'Saving...',
  missing: 'Give it a title',
  missingQuery: 'Enter a search, for example tag:travel',
  failed: 'The album could not be saved',
  saved: 'Album saved',
  /** Of images without another title. */
  dated: (date: string) => `Album of ${date}`,
}

export const albumPage = {
  path: 'Where this album is',
  notFound: 'There is no such album',
  notFoundText: 'It was deleted, or is not shared with you.',
  toAlbums: 'All albums',
  edit: 'Edit',
  rename: (title: string) => `Rename ${title}`,
  renamed: 'Title of the album',
  describe: 'Description of the album',
  addDescription: 'Add a description',
  more: 'More for this album',
  newInside: 'New album inside',
  delete: 'Delete album',
  sort: 'Sort',
  sorts: { newest: 'Newest first', oldest: 'Oldest first', name: 'Name, A to Z', size: 'Largest first' },
  sorted: 'Album sorted',
  sortFailed: 'The album could not be sorted',
  orderHint: 'Drag images to put them in order, or move them with Alt and the arrow keys.',
  empty: 'No images in this album yet',
  emptyAdd: 'Drop or paste images here, or add some of yours: select them on the dashboard and choose Album.',
  emptyLive: 'Nothing matches its search yet.',
  emptyView: 'Its owner has not added any.',
  toImages: 'Choose among your images',
}

export const albumDeletion = {
  title: (title: string) => `Delete the album ${title}?`,
  text: 'Links to it stop working. Albums inside it move up to where it was.',
  images: 'Also delete its images',
  /** @param n of the user; undefined: there may be images of members among them */
  imagesText: (n: number | undefined) =>
    n === undefined
      ? 'Yours go to Recently deleted, those of members stay with them. Otherwise all stay where they are.'
      : `${countedImages(n)} of yours ${n === 1 ? 'goes' : 'go'} to Recently deleted. Otherwise ${n === 1 ? 'it stays' : 'they stay'} among your images.`,
  confirm: 'Delete album',
  busy: 'Deleting...',
  done: 'Album deleted',
  doneWith: (n: number) => `Album and ${countedImages(n)} deleted`,
  failed: 'The album could not be deleted',
}
