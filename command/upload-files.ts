// Uploads files, some at a time, or those that appear in a folder.
import { copyToClipboard } from './clipboard.ts'
import { placeEarlierUploads } from './earlier-uploads.ts'
import { exitCodeOf, exitCodes } from './exit-codes.ts'
import { Interrupted, upload, type Uploader } from './upload-one-file.ts'
import { leftOutText, linkOf, type Outcome, report, summaryOf } from './upload-report.ts'
import { watchFolder } from './watch-folder.ts'

/** @param others are not uploaded @returns the exit code */
export async function uploadFiles(uploader: Uploader, files: string[], others: string[]): Promise<number> {
  const { settings, stopping } = uploader
  const withLimit = createLimit(settings.jobs)
  const uploads = files.map((file) => withLimit(() => upload(uploader, file)))
  const outcomes: Outcome[] = []
  for (const pending of uploads) {
    const outcome = await pending
    report(uploader, outcome)
    outcomes.push(outcome)
  }
  const placing = await placeEarlierUploads(uploader, outcomes)
  uploader.progress.end()
  if (files.length !== 1 || stopping.signal.aborted) process.stderr.write(`${summaryOf(outcomes)}\n`)
  if (others.length > 0) process.stderr.write(`${leftOutText(others)}\n`)
  if (settings.isCopied) await copyToClipboard(outcomes.flatMap((outcome) => linkOf(outcome, settings)).join('\n'))
  const { reason } = stopping.signal
  if (reason instanceof Interrupted) return exitCodes.interrupted
  if (reason !== undefined) return exitCodeOf(reason)
  if (placing !== undefined) return exitCodeOf(placing)
  return outcomes.some(({ status }) => status === 'failed') ? exitCodes.failed : exitCodes.done
}

/** Until Ctrl-C. A failure does not end it, unless all further uploads would be refused. */
export async function uploadNewFiles(uploader: Uploader, folder: string): Promise<number> {
  const { settings, stopping } = uploader
  process.stderr.write(`Watching ${folder}. Ctrl-C ends it.\n`)
  try {
    for await (const file of watchFolder(folder, { ...settings, signal: stopping.signal })) {
      const outcome = await upload(uploader, file)
      report(uploader, outcome)
      await placeEarlierUploads(uploader, [outcome])
      if (settings.isCopied && 'image' in outcome) await copyToClipboard(linkOf(outcome, settings).join(''))
    }
  } catch (error) {
    if (!stopping.signal.aborted) throw error
  }
  const { reason } = stopping.signal
  return reason instanceof Interrupted ? exitCodes.done : exitCodeOf(reason)
}

/** Returns a function that runs at most `max` of its calls at a time, in their order. */
function createLimit(max: number): <T>(work: () => Promise<T>) => Promise<T> {
  let running = 0
  const waiting: (() => void)[] = []
  return async (work) => {
    if (running === max) await new Promise<void>((resolve) => waiting.push(resolve))
    else running++
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running--
    }
  }
}
