// Opens a database as the product does, migrating it, and kills itself at the given statement.
// Prints the number of statements when it completes; the log goes to standard error.
import { Console } from 'node:console'

/** @param {string} path below dist/server; its types are those of the sources */
const built = (path) => import(new URL(`../../dist/server/${path}`, import.meta.url).href)

const [dataDir = '', url = '', killAt = ''] = process.argv.slice(2)
let statements = 0
const count = () => {
  if (++statements === Number(killAt)) process.kill(process.pid, 'SIGKILL')
}

// Every statement of both databases passes here. On SQLite it has already run, on PostgreSQL it is in progress.
const { RuntimeDriver } = await built('db/runtime-driver.js')
const { acquireConnection, commitTransaction } = RuntimeDriver.prototype
const counted = new WeakSet()
/** @this {object} */
RuntimeDriver.prototype.acquireConnection = async function () {
  const connection = await acquireConnection.call(this)
  if (counted.has(connection)) return connection
  counted.add(connection)
  const executeQuery = connection.executeQuery.bind(connection)
  connection.executeQuery = (/** @type {unknown} */ query) => {
    const answer = executeQuery(query)
    count()
    return answer
  }
  return connection
}
/** @this {object} @param {unknown} connection */
RuntimeDriver.prototype.commitTransaction = function (connection) {
  count()
  const answer = commitTransaction.call(this, connection)
  count()
  return answer
}

const { openDatabase } = await built('open-deps.js')
// With the copy of an SQLite file; one of PostgreSQL needs programs that may not be installed.
const config = { DATA_DIR: dataDir, DATABASE_URL: url === '' ? undefined : url, UPGRADE_BACKUP: url === '' }
const { db } = await openDatabase(config, new Console(process.stderr))
await db.destroy()
process.stdout.write(String(statements))
