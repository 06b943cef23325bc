import type { EndpointDoc } from '../../../../contract/derive/endpoint-doc.ts'
import { authentication } from '../../../texts/docs-messages.ts'
import { ColumnHeads } from '../column-heads.tsx'
import { CopyableText } from '../code/copyable-text.tsx'
import { EndpointList } from '../endpoints/endpoint-list.tsx'
import type { DocsLocation } from '../use-docs-address.ts'

/** The endpoints of each role, from the widest access to the narrowest. */
const open = { admin: ['admin', 'user', 'public'], user: ['user', 'public'], guest: ['public'] } as const
const roles = ['admin', 'user', 'guest'] as const

export function Roles({ catalogue, place }: { catalogue: readonly EndpointDoc[]; place: DocsLocation }) {
  const { role, access, count } = authentication.roleColumns
  return (
    <div className="docs-columns">
      <div className="docs-prose">
        <section>
          <h2>{authentication.roles}</h2>
          <table className="docs-table docs-roles">
            <ColumnHeads names={[role, access, count]} />
            <tbody>
              {roles.map((one) => {
                const [name, what, more] = authentication.roleRows[one]
                return (
                  <tr key={one}>
                    <th scope="row">{name}</th>
                    <td>
                      <strong className="font-medium text-text">{what}</strong>
                      <span className="block">{more}</span>
                    </td>
                    <td className="tabular-nums md:text-right">
                      {catalogue.filter((endpoint) => open[one].some((level) => level === endpoint.access)).length}
                      {/* A card has no heading above the number. */}
                      <span className="md:hidden"> {count.toLowerCase()}</span>
                    </td>
                  </tr>
                )
              })}
            </tbody>
          </table>
        </section>
        <section>
          <h2>{authentication.guest}</h2>
          <p>{authentication.guestText}</p>
          <CopyableText text={authentication.guestHeader} label={authentication.copyHeader} />
        </section>
      </div>
      <EndpointList
        title={authentication.guestEndpoints}
        shown={catalogue.filter(({ guestToken }) => guestToken)}
        place={place}
      />
    </div>
  )
}
