// Opens a database as the product does, bringing it to this version, and dies at the statement that it is told.
// Tells how many there were when it lives to the end.

/** @param {string} path below dist/server; its types are those of the sources */
const built = (path) => import(new URL(`../../dist/server/${path}`, import.meta.url).href)

const [dataDir = '', url = '', killAt = ''] = process.argv.slice(2)
let statements = 0
const count = () => {
  if (++statements === Number(killAt)) process.kill(process.pid, 'SIGKILL')
}

// Where every statement of both databases comes by. On SQLite it has run by then, on PostgreSQL it is under way.
const { RuntimeDriver } = await import(new URL('driver/runtime-driver.js', import.meta.resolve('kysely')).href)
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
const { db } = await openDatabase({ DATA_DIR: dataDir, DATABASE_URL: url === '' ? undefined : url }, console)
await db.destroy()
process.stdout.write(String(statements))
