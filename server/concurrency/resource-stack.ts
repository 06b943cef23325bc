// What a task holds until it ends, as the AsyncDisposableStack of Node 24.

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
