import { type Static, type TObject, Type } from 'typebox';
import { Failure } from '../../domain/failure.ts';

const PAGE_NUMBER_MAX = 1_000_000_000;
const PAGE_LIMIT_MAX = 1000;
export const PAGE_LIMIT_DEFAULT = 10;

/** The parameters of every address that answers with pages. */
export const PAGE_PARAMETERS = {
  page_no: Type.Optional(
    Type.Integer({ minimum: 1, maximum: PAGE_NUMBER_MAX, default: 1, description: 'Page number to return.' }),
  ),
  page: Type.Optional(
    Type.Integer({ minimum: 1, maximum: PAGE_NUMBER_MAX, description: 'Alias of `page_no`.', examples: [1] }),
  ),
  page_limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: PAGE_LIMIT_MAX,
      default: PAGE_LIMIT_DEFAULT,
      description: 'Maximum results per page.',
    }),
  ),
};

type PageQuery = Static<TObject<typeof PAGE_PARAMETERS>>;

export function toPageRequest({ page, page_no, page_limit }: PageQuery): { pageNumber: number; pageLimit: number } {
  if (page !== undefined && page_no !== undefined && page !== page_no) {
    throw new Failure(
      'bad_parameter',
      'page is an alias of page_no; give only one of them, or the same value for both.',
    );
  }
  return { pageNumber: page_no ?? page ?? 1, pageLimit: page_limit ?? PAGE_LIMIT_DEFAULT };
}
