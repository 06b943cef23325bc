// CPU time of processes, read from Linux' /proc. Other systems do not measure it.
import { readdirSync, readFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'

/** The unit of /proc: USER_HZ is 100 on every architecture that Node supports. */
const ticksPerSecond = 100

/**
 * CPU seconds so far of this process, of its descendants, and of those that have ended; of a worker thread, only its own. A
 * descendant whose parent was killed is lost: init adopts it.
 * @returns {number} 0 where there is no /proc
 */
export function cpuSeconds() {
  if (process.platform !== 'linux') return 0
  if (!isMainThread) return ticksOf('thread-self', 2) / ticksPerSecond
  return ticksOfTree('self') / ticksPerSecond
}

/** @param {string} pid @returns {number} */
function ticksOfTree(pid) {
  const threads = list(`/proc/${pid}/task`)
  const children = threads.flatMap((thread) => read(`/proc/${pid}/task/${thread}/children`).split(' ').filter(Boolean))
  return children.reduce((sum, child) => sum + ticksOfTree(child), ticksOf(pid, 4))
}

/** @param {string} task @param {2 | 4} times 2: user and system; 4: those of ended children too @returns {number} */
function ticksOf(task, times) {
  const stat = read(`/proc/${task}/stat`)
  // The second field is the program's name, which may contain spaces and brackets.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return fields.slice(11, 11 + times).reduce((sum, field) => sum + Number(field), 0)
}

/** A process that has just ended has no files. @param {string} path */
function read(path) {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

/** @param {string} path */
function list(path) {
  try {
    return readdirSync(path)
  } catch {
    return []
  }
}
