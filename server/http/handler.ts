// The type of a domain function that bind.ts calls, derived from the contract.
import type { Api } from '../../contract/api.ts'
import type { Endpoint, InputOf, ResponseOf } from '../../contract/endpoint.ts'
import type { Caller, UserCaller } from '../domain/caller.ts'
import type { ServedFile } from '../domain/database/backups.ts'
import type { Deps, RequestContext } from '../domain/deps.ts'
import type { ServedImage } from '../domain/images/served-image.ts'
import type { ReceivedFile } from '../domain/images/uploads.ts'
import type { Page } from '../domain/keyset-page.ts'
import type { ServedStream } from '../domain/served-stream.ts'

/** An endpoint that requires a login passes a caller with a user. */
type CallerOf<E extends Endpoint> = E['access'] extends 'public' ? Caller : UserCaller

type HandlerInput<E extends Endpoint> = InputOf<E> &
  RequestContext<CallerOf<E>> & {
    guestToken: string | undefined
    /** The client's whole address, where `address` is a network. */
    ip: string | undefined
    /** The Accept header. */
    accept: string | undefined
  } & (E extends { upload: object } ? { file: ReceivedFile } : object)

/** Functions behind lists return a page: its items become the body, the rest becomes headers. */
type HandlerResult<E extends Endpoint> = E extends { response: 'image' }
  ? ServedImage
  : E extends { response: 'file' }
    ? ServedFile | ServedStream
    : ResponseOf<E> extends (infer T)[]
      ? Page<T>
      : ResponseOf<E>

export type Handler<E extends Endpoint> = (deps: Deps, input: HandlerInput<E>) => Promise<HandlerResult<E>>
/** Of all endpoints but those that the tus library handles. */
export type Handlers = { [N in keyof Api as Api[N] extends { resumable: string } ? never : N]: Handler<Api[N]> }

/** The same without types, for the one place that calls all of them after validation. */
export type AnyHandler = (deps: Deps, input: unknown) => Promise<unknown>
