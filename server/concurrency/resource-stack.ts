// What a task holds until it ends, as the AsyncDisposableStack of Node 24, and permits that are held in the same way.
import type { Semaphore } from './semaphore.ts'

type Resource = AsyncDisposable | Disposable

/** Disposes of what was added, the last one first. */
export class ResourceStack implements AsyncDisposable {
  #resources: Resource[] = []

  /** Adds a resource. @returns the same */
  use<T extends Resource | undefined>(resource: T): T {
    if (resource) this.#resources.push(resource)
    return resource
  }

  /** Hands all of it over to a new stack: this one keeps nothing. */
  move(): ResourceStack {
    const moved = new ResourceStack()
    moved.#resources = this.#resources
    this.#resources = []
    return moved
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const last = this.#resources.pop()
    if (!last) return
    try {
      await (Symbol.asyncDispose in last ? last[Symbol.asyncDispose]() : last[Symbol.dispose]())
    } finally {
      await this[Symbol.asyncDispose]()
    }
  }
}

/** Waits for a permit, which is free again when it is disposed of. @throws what the semaphore rejects with */
export const acquirePermit = (semaphore: Semaphore): Promise<AsyncDisposable> =>
  new Promise((acquired, refused) => {
    const untilReleased = (release: () => void) =>
      acquired({
        async [Symbol.asyncDispose]() {
          release()
          await held
        },
      })
    const held = semaphore(() => new Promise<void>(untilReleased))
    held.catch(refused)
  })
