import { renderToString } from 'react-dom/server'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { toast, useToasterStore, type Toast } from 'react-hot-toast/headless'
import { ApiError } from '../../model/api-error.ts'
import { notify } from './toast.ts'

/** The toasts that the toaster would show. */
function shown(): Toast[] {
  let toasts: Toast[] = []
  renderToString(<Reader tell={(read) => (toasts = read)} />)
  return toasts
}

function Reader({ tell }: { tell: (toasts: Toast[]) => void }) {
  tell(useToasterStore().toasts)
  return null
}

beforeEach(() => toast.removeAll())
afterEach(() => vi.restoreAllMocks())

test('each kind has its duration and its role', () => {
  notify.success('a')
  notify.error('b')
  notify.loading('c')
  notify.blank('d')
  const kinds = shown().map(({ type, duration, ariaProps }) => [type, duration, ariaProps.role])
  expect(kinds).toEqual([
    ['blank', 4000, 'status'],
    ['loading', Infinity, 'status'],
    ['error', 4000, 'alert'],
    ['success', 2000, 'status'],
  ])
})

test('a failure has its reason below it, as the server says it, unless that is all it says', () => {
  vi.spyOn(console, 'info').mockReturnValue(undefined)
  const full = new ApiError(507, { error: 'The server has no storage space left', code: 'storage_full' })
  notify.failure('Failed to delete image', full)
  notify.failure(full.message, full)
  notify.failure('Failed to process image data', new TypeError('x is undefined'))
  const texts = shown().map(({ message }) => renderToString(<>{message}</>).replace(/<[^>]+>/g, '|'))
  expect(texts).toEqual([
    'Failed to process image data',
    'The server has no storage space left',
    '|Failed to delete image||The server has no storage space left|',
  ])
})

test('one action has one toast, replaced in its place', () => {
  notify.loading('Uploading image...', 'upload')
  notify.error('other')
  notify.success('Image uploaded successfully!', 'upload')
  expect(shown().map(({ message, duration }) => [message, duration])).toEqual([
    ['other', 4000],
    ['Image uploaded successfully!', 2000],
  ])
})

test('at most 20 at once, the newest first', () => {
  for (let n = 1; n <= 25; n += 1) notify.error(String(n))
  expect(shown()).toHaveLength(20)
  expect(shown()[0]?.message).toBe('25')
})
