// All endpoints as one object, under the names of routes.ts: a name without a declaration does not compile.
import { accounts } from './accounts.ts'
import type { Endpoint } from './endpoint.ts'
import { images } from './images.ts'
import type { RouteName } from './routes.ts'

export const api = { ...accounts, ...images } satisfies Record<RouteName, Endpoint>
export type Api = typeof api
