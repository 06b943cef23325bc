// One pool of decoder processes for all apps of a test worker: a process takes 0.3 s of CPU to start, more than most tests.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Imaging, type ImagingOptions, openImaging } from '../imaging/pool/imaging.ts'

let pool: Imaging | undefined

/** @returns the pool as one app sees it: it closes when the jobs of the app have ended, and the processes live on. */
export function sharedDecoders(options: ImagingOptions): Imaging {
  pool ??= openPool(options)
  const shared = pool
  const running = new Set<Promise<unknown>>()
  const counted =
    <Given extends unknown[], Result>(work: (...given: Given) => Promise<Result>) =>
    (...given: Given): Promise<Result> => {
      const job = work(...given)
      running.add(job)
      const remove = () => running.delete(job)
      job.then(remove, remove)
      return job
    }
  return {
    ...shared,
    ingest: counted(shared.ingest),
    render: counted(shared.render),
    collage: counted(shared.collage),
    inspect: counted(shared.inspect),
    rasterize: counted(shared.rasterize),
    close: async () => void (await Promise.allSettled(running)),
  }
}

function openPool(options: ImagingOptions): Imaging {
  const dataDir = mkdtempSync(join(tmpdir(), 'image-host-decoders-'))
  // The processes end when their channel to this one does.
  process.once('exit', () => rmSync(dataDir, { recursive: true, force: true }))
  return openImaging({ ...options, dataDir })
}
