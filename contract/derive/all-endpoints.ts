// Every documented endpoint: those of the product, and those for clients of other hosts.
import { api } from '../endpoints/api.ts'
import { compatApi } from '../compat/api.ts'
import { type CompatName, compatRoutes } from '../compat/routes.ts'
import type { Endpoint } from '../endpoints/endpoint.ts'
import { type RouteName, routes } from '../plain/routes.ts'

export type EndpointName = RouteName | CompatName

export function allEndpoints(): { name: EndpointName; route: string; endpoint: Endpoint }[] {
  const endpoints: Record<EndpointName, Endpoint> = { ...api, ...compatApi }
  return Object.entries({ ...routes, ...compatRoutes }).map(([name, route]) => {
    const known = name as EndpointName
    return { name: known, route, endpoint: endpoints[known] }
  })
}
