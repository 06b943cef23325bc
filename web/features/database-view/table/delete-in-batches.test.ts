import { expect, test } from 'vitest'
import { deleteInBatches } from './delete-in-batches.ts'

const ids = (count: number) => Array.from({ length: count }, (_, at) => `id ${at}`)

test('deletes batches of a hundred in order', async () => {
  const sizes: number[] = []
  const outcome = await deleteInBatches(ids(250), async (batch) => sizes.push(batch.length) && batch.length)
  expect(sizes).toEqual([100, 100, 50])
  expect(outcome).toEqual({ deleted: 250, ids: ids(250) })
})

test('counts documents that no longer exist', async () => {
  expect(await deleteInBatches(ids(3), async () => 2)).toEqual({ deleted: 2, ids: ids(3) })
})

test('reports the batches before a failed one', async () => {
  const error = new Error('no connection')
  let calls = 0
  const outcome = await deleteInBatches(
    ids(5),
    async (batch) => {
      calls++
      if (batch.includes('id 2')) throw error
      return batch.length
    },
    2,
  )
  expect(outcome).toEqual({ deleted: 2, ids: ['id 0', 'id 1'], error })
  expect(calls).toBe(2)
})
