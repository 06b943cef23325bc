import { Fragment, useId } from 'react'
import type { EndpointDoc } from '../../../../contract/derive/endpoint-doc.ts'
import { dayMs, limits } from '../../../../contract/plain/limits.ts'
import type { RouteName } from '../../../../contract/plain/routes.ts'
import { scopes } from '../../../../contract/plain/scopes.ts'
import { authentication } from '../../../texts/docs-messages.ts'
import { paths } from '../../../paths.ts'
import { Link } from '../../../ui/link.tsx'
import { TabList, tabId } from '../../../ui/tab-list.tsx'
import { authTabs } from '../docs-address.ts'
import { CodeBlock } from '../code/code-block.tsx'
import { CopyableText } from '../code/copyable-text.tsx'
import { EndpointList } from '../endpoints/endpoint-list.tsx'
import { plainCurl } from '../endpoints/endpoint-row.tsx'
import type { DocsLocation } from '../use-docs-address.ts'
import { ColumnHeads } from '../column-heads.tsx'

interface Props {
  catalogue: readonly EndpointDoc[]
  place: DocsLocation
}

export function Authentication(props: Props) {
  const panelId = useId()
  const { authTab, go } = props.place
  return (
    <>
      <TabList
        label={authentication.sections}
        tabs={authTabs.map((id) => ({ id, label: authentication.tabs[id] }))}
        selected={authTab}
        onSelect={(selected) => go({ authTab: selected })}
        panelId={panelId}
      />
      <div id={panelId} role="tabpanel" aria-labelledby={tabId(panelId, authTab)}>
        {authTab === 'bearer' && <Bearer {...props} />}
        {authTab === 'api-keys' && <Keys {...props} />}
        {authTab === 'roles' && <Roles {...props} />}
      </div>
    </>
  )
}

function Bearer({ catalogue }: Props) {
  const days = [limits.session.idleMs / dayMs, limits.session.maxAgeMs / dayMs] as const
  return (
    <div className="docs-columns">
      <section className="docs-prose">
        <h2>{authentication.tabs.bearer}</h2>
        {authentication.bearer(...days).map((text) => (
          <p key={text}>{text}</p>
        ))}
        <CopyableText text={authentication.header} label={authentication.copyHeader} />
        <p>{authentication.wrong}</p>
      </section>
      <div className="docs-prose">
        <Sample catalogue={catalogue} name="login" title={authentication.login} />
        <Sample catalogue={catalogue} name="getMe" title={authentication.example} />
      </div>
    </div>
  )
}

function Keys({ catalogue, place }: Props) {
  return (
    <div className="docs-columns">
      <section className="docs-prose">
        <h2>{authentication.tabs['api-keys']}</h2>
        {authentication.keys.map((text) => (
          <p key={text}>{text}</p>
        ))}
        <dl className="docs-scopes">
          {scopes.map((scope) => (
            <Fragment key={scope}>
              <dt>
                <code>{scope}</code>
              </dt>
              <dd>{authentication.scopes[scope]}</dd>
            </Fragment>
          ))}
        </dl>
        <p>
          <Link to={paths.apiKeys} className="link docs-line-link">
            {authentication.keysLink}
          </Link>
        </p>
        <Sample catalogue={catalogue} name="listImages" title={authentication.example} />
      </section>
      <EndpointList
        title={authentication.accepting}
        shown={catalogue.filter(({ keyScope }) => keyScope !== undefined)}
        place={place}
      />
    </div>
  )
}

function Sample({ catalogue, name, title }: { catalogue: readonly EndpointDoc[]; name: RouteName; title: string }) {
  const endpoint = catalogue.find((one) => one.name === name)
  if (endpoint === undefined) return null
  return <CodeBlock title={<span>{title}</span>} code={plainCurl(endpoint)} language="shell" of={title} what="curl" />
}

/** The endpoints of each role, from the widest access to the narrowest. */
const open = { admin: ['admin', 'user', 'public'], user: ['user', 'public'], guest: ['public'] } as const
const roles = ['admin', 'user', 'guest'] as const

function Roles({ catalogue, place }: { catalogue: readonly EndpointDoc[]; place: DocsLocation }) {
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
