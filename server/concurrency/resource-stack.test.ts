import { describe, expect, it } from 'vitest'
import { ResourceStack } from './resource-stack.ts'

/** Resources that note when they are disposed of. */
function resources() {
  const disposed: string[] = []
  const add = (name: string) => void disposed.push(name)
  return {
    disposed,
    sync: (name: string): Disposable => ({ [Symbol.dispose]: () => add(name) }),
    async: (name: string): AsyncDisposable => ({ [Symbol.asyncDispose]: async () => add(name) }),
  }
}

describe('ResourceStack', () => {
  it('disposes of its resources when the block ends, the last one first', async () => {
    const { disposed, sync, async } = resources()
    {
      await using held = new ResourceStack()
      held.use(sync('slot'))
      held.use(undefined)
      held.use(async('folder'))
      expect(disposed).toEqual([])
    }
    expect(disposed).toEqual(['folder', 'slot'])
  })

  it('keeps what it has handed over', async () => {
    const { disposed, sync } = resources()
    const open = async () => {
      await using held = new ResourceStack()
      held.use(sync('slot'))
      return held.move()
    }
    const moved = await open()
    expect(disposed).toEqual([])
    await moved[Symbol.asyncDispose]()
    expect(disposed).toEqual(['slot'])
    await moved[Symbol.asyncDispose]()
    expect(disposed).toEqual(['slot'])
  })

  it('disposes of the rest when one resource fails, and throws its error', async () => {
    const { disposed, sync } = resources()
    const held = new ResourceStack()
    held.use(sync('slot'))
    held.use({
      async [Symbol.asyncDispose]() {
        throw new Error('the folder is busy')
      },
    })
    await expect(held[Symbol.asyncDispose]()).rejects.toThrow('the folder is busy')
    expect(disposed).toEqual(['slot'])
  })
})
