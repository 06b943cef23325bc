import { expect, test } from 'vitest'
import { folderOfFile, inOrder, rememberFolders } from './folder-of-file.ts'

test.each([
  ['numbers by their value', ['a/1.jpg', 'a/2.jpg', 'a/10.jpg']],
  ['a folder before one with a longer name', ['Day/a.jpg', 'Day/b.jpg', 'Day 2/a.jpg']],
  ['folder by folder, also when only an accent differs', ['e/1.jpg', 'e/2.jpg', 'é/1.jpg', 'é/2.jpg']],
])('a chosen folder is sorted: %s', (_, paths) => {
  expect(inOrder(paths.toReversed(), (path) => path)).toEqual(paths)
})

test.each<[string, Record<string, string | undefined>]>([
  ['is that which was dropped', { 'Holiday/a.jpg': 'Holiday', 'Holiday/day 2/b.jpg': 'Holiday' }],
  [
    'is one inside where there is nothing else',
    { 'Shots/Games/a.jpg': 'Games', 'Shots/Games/old/b.jpg': 'Games', 'Shots/Work/c.jpg': 'Work' },
  ],
  [
    'is the innermost of several around',
    { 'Takeout/Photos/Games/a.jpg': 'Games', 'Takeout/Photos/Work/b.jpg': 'Work' },
  ],
  ['is one inside, whatever texts are beside it', { 'Shots/list.txt': 'Shots', 'Shots/Games/a.jpg': 'Games' }],
  ['is none of a file without one', { 'a.jpg': undefined }],
])('the folder of an image %s', (_, names) => {
  const found = Object.keys(names).map((path) => ({
    path,
    file: new File([], path, { type: path.endsWith('.txt') ? 'text/plain' : 'image/jpeg' }),
  }))
  rememberFolders(found)
  expect(Object.fromEntries(found.map(({ file, path }) => [path, folderOfFile(file)?.name]))).toEqual(names)
})

test('a folder may have very many images', () => {
  const file = new File([], 'a.jpg', { type: 'image/jpeg' })
  rememberFolders(Array.from({ length: 200_000 }, (_, n) => ({ path: `Shots/${n}.jpg`, file })))
  expect(folderOfFile(file)?.name).toBe('Shots')
})

test('folders of the same name in two others are two', () => {
  const found = ['a/2025/1.jpg', 'b/2025/2.jpg'].map((path) => ({
    path: `Shots/${path}`,
    file: new File([], path, { type: 'image/jpeg' }),
  }))
  rememberFolders(found)
  const [one, other] = found.map(({ file }) => folderOfFile(file))
  expect(one?.id).not.toBe(other?.id)
})
