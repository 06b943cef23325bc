declare module 'virtual:api-catalogue' {
  /** Written by scripts/api-catalogue.ts from the contract. */
  export const catalogue: readonly import('../../../contract/endpoint-doc.ts').EndpointDoc[]
}
