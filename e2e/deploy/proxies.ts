// npm run test:proxies: starts each proxy that is installed with its file of deploy/proxy in front of the built product, and
// checks it. `npm run test:proxies -- nginx` runs one. Debian: apt-get install --no-install-recommends apache2 caddy nginx-light
import { runProxies } from '../proxies/runs.ts'

export async function main([name]: string[]): Promise<boolean> {
  const count = { passed: 0, failed: 0 }
  for await (const { proxy, check, failure, isSkipped } of runProxies(name)) {
    console.log(`${isSkipped ? ' skip ' : failure === undefined ? '  ok  ' : ' FAIL '} ${proxy.padEnd(8)} ${check}`)
    if (isSkipped) continue
    if (failure !== undefined) console.log(`         ${failure}`)
    count[failure === undefined ? 'passed' : 'failed']++
  }
  console.log(`\n${count.passed} passed, ${count.failed} failed`)
  return count.failed === 0 && count.passed > 0
}
