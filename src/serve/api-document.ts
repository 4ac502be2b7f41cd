/** The contract of this API: the document of all of its routes. */
import { API_ROUTES } from './api-routes.ts';
import { type ApiDocument, describeRoutes } from './contract/document.ts';

/** The OpenAPI document of every route for this public address. */
export const describeApi = (baseUrl: string): ApiDocument => describeRoutes(API_ROUTES, baseUrl);
