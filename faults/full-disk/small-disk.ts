// A tmpfs of a few megabytes, and functions that fill it from outside the server.
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, open, rm, rmdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Defer, withDeferred } from '../resources.ts'

const run = promisify(execFile)

export interface Size {
  megabytes: number
  /** Maximum number of files and folders. */
  files: number
}

export type SmallDisk = ReturnType<typeof diskAt>

/** What this machine lacks for it, as the end of a sentence. */
export async function missingForSmallDisks(): Promise<string | undefined> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'it needs root on Linux, to mount a disk'
  return withDeferred((defer) => openSmallDisk(defer, { megabytes: 1, files: 10 })).then(
    () => undefined,
    (error: Error) => `it needs to mount a disk: ${error.message.trim()}`,
  )
}

/** Unmounted at the end. */
export async function openSmallDisk(defer: Defer, { megabytes, files }: Size): Promise<SmallDisk> {
  const folder = await mkdtemp(join(tmpdir(), 'image-host-small-'))
  defer(() => rmdir(folder))
  await run('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,nr_inodes=${files}`, 'tmpfs', folder])
  // Lazy unmount: a decoder whose server has ended can still access it for a moment.
  defer(() => run('umount', ['-l', folder]))
  return diskAt(folder)
}

function diskAt(folder: string) {
  const ballast = join(folder, 'ballast')
  const names = join(folder, 'names')
  return {
    folder,
    /** Fills the free space except for the given bytes. */
    async fillBut(bytes: number): Promise<void> {
      const file = await open(ballast, 'a')
      try {
        const block = Buffer.alloc(1024 * 1024)
        for (let isFull = false; !isFull;)
          isFull = await file.write(block).then(
            ({ bytesWritten }) => bytesWritten < block.length,
            (error: NodeJS.ErrnoException) => {
              if (error.code === 'ENOSPC') return true
              throw error
            },
          )
        if (bytes > 0) await file.truncate(Math.max(0, (await file.stat()).size - bytes))
      } finally {
        await file.close()
      }
    },
    /** Uses all free inodes. */
    async fillFiles(): Promise<void> {
      await mkdir(names)
      for (let n = 0; ; n++) {
        try {
          await writeFile(join(names, String(n)), '')
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code === 'ENOSPC') return
          throw error
        }
      }
    },
    /** Frees everything again. */
    async release(): Promise<void> {
      await rm(ballast, { force: true })
      await rm(names, { recursive: true, force: true })
    },
  }
}
