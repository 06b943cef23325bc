// The type of a domain function that bind.ts calls, derived from the contract.
import type { Api } from '../../contract/endpoints/api.ts'
import type { Endpoint, InputOf, ResponseOf } from '../../contract/endpoints/endpoint.ts'
import type { Caller, UserCaller } from '../domain/shared/caller.ts'
import type { ServedFile } from '../domain/backups/backups.ts'
import type { Deps, RequestContext } from '../domain/shared/deps.ts'
import type { ServedImage } from '../domain/delivery/served-image.ts'
import type { ReceivedFile } from '../domain/uploads/upload-request.ts'
import type { Page } from '../domain/shared/keyset-page.ts'
import type { ServedStream } from '../domain/shared/served-stream.ts'

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
