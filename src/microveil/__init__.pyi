# The public names, as type checkers see them; `__init__.py` loads them on first use.
# Written by tools/public-stub.

from collections.abc import Mapping, Sequence
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any, Literal

from microveil import dp as dp
from microveil import plots as plots
from microveil import studies as studies
from microveil.app.advising import Advice as Advice
from microveil.app.advising import Analysis as _Analysis
from microveil.app.advising import Explanation as Explanation
from microveil.app.advising import Goal as _Goal
from microveil.app.advising import advise as advise
from microveil.app.advising import explain as explain
from microveil.app.arx_projects import ArxProject as ArxProject
from microveil.app.arx_projects import read_arx_project as read_arx_project
from microveil.app.assessing import assess as assess
from microveil.app.comparing import Comparison as Comparison
from microveil.app.comparing import compare as compare
from microveil.app.counted import assess_file as assess_file
from microveil.app.counted import compare_files as compare_files
from microveil.app.draft import Draft as Draft
from microveil.app.evaluating import evaluate_synthesis as evaluate_synthesis
from microveil.app.exploration import Exploration as Exploration
from microveil.app.exploration import explore as explore
from microveil.app.file_runs import FileRun as FileRun
from microveil.app.file_runs import price_file as price_file
from microveil.app.file_runs import run_file as run_file
from microveil.app.file_runs.releasing_tables import release_tables as release_tables
from microveil.app.fitting import CrossValidation as CrossValidation
from microveil.app.fitting import Protector as Protector
from microveil.app.fitting import cross_validate as cross_validate
from microveil.app.fitting import fit as fit
from microveil.app.inspection import Inspection as Inspection
from microveil.app.inspection import inspect as inspect
from microveil.app.lattices import lattice as lattice
from microveil.app.preset_recipes import PresetCheck as PresetCheck
from microveil.app.preset_recipes import check_preset as check_preset
from microveil.app.preset_recipes import preset as preset
from microveil.app.preset_recipes import presets as presets
from microveil.app.protecting import protect as protect
from microveil.app.running import run as run
from microveil.app.spark_runs import run_spark_file as run_spark_file
from microveil.app.suggesting import Proposal as Proposal
from microveil.app.suggesting import propose as propose
from microveil.app.suggesting import suggest as suggest
from microveil.cores.settings import settings as settings
from microveil.errors import BudgetError as BudgetError
from microveil.errors import ColumnError as ColumnError
from microveil.errors import FileError as FileError
from microveil.errors import GoalNotReachedError as GoalNotReachedError
from microveil.errors import HierarchyError as HierarchyError
from microveil.errors import InputError as InputError
from microveil.errors import InternalError as InternalError
from microveil.errors import MicroveilError as MicroveilError
from microveil.errors import NotOnSparkError as NotOnSparkError
from microveil.errors import QueryError as QueryError
from microveil.errors import RequirementNotMetError as RequirementNotMetError
from microveil.errors import RolesError as RolesError
from microveil.errors import SchemaError as SchemaError
from microveil.errors import SecretError as SecretError
from microveil.errors import SpecError as SpecError
from microveil.files.columns.expected.inferring import infer_schema as infer_schema
from microveil.files.columns.expected.schema import ExpectedSchema as _ExpectedSchema
from microveil.files.labels import Labels as Labels
from microveil.files.reading import batches as batches
from microveil.files.reading import read as read
from microveil.files.reading import read_labelled as read_labelled
from microveil.files.reading import scan as scan
from microveil.files.write_report import WriteReport as WriteReport
from microveil.files.writing import write as write
from microveil.hierarchies.base import HierarchyBuilder as HierarchyBuilder
from microveil.hierarchies.build import HIERARCHIES as HIERARCHIES
from microveil.hierarchies.build import build_hierarchy as build_hierarchy
from microveil.hierarchies.by_order import Frequency as _Frequency
from microveil.hierarchies.by_order import Order as _Order
from microveil.hierarchies.codes import Codes as _Codes
from microveil.hierarchies.dates import Dates as _Dates
from microveil.hierarchies.digits import Digits as _Digits
from microveil.hierarchies.digits import Prefix as _Prefix
from microveil.hierarchies.file import File as _File
from microveil.hierarchies.file import read_hierarchy as read_hierarchy
from microveil.hierarchies.file import write_hierarchy as write_hierarchy
from microveil.hierarchies.hierarchy import Hierarchy as Hierarchy
from microveil.hierarchies.intervals import Interval as Interval
from microveil.hierarchies.intervals import Intervals as _Intervals
from microveil.hierarchies.tree import Tree as _Tree
from microveil.hierarchies.type_based import Types as _Types
from microveil.linked.checking import check_linked as check_linked
from microveil.linked.checking import people_view as people_view
from microveil.linked.explaining import explain_linked as explain_linked
from microveil.linked.links import Link as _Link
from microveil.linked.recipe import LinkedRecipe as _LinkedRecipe
from microveil.linked.release import LinkedRelease as LinkedRelease
from microveil.linked.running import run_linked as run_linked
from microveil.linked.table_set import TableSet as TableSet
from microveil.measures.base import RiskMeasure as RiskMeasure
from microveil.measures.base import UtilityMeasure as UtilityMeasure
from microveil.metadata import Metadata as Metadata
from microveil.metadata import Study as _Study
from microveil.metadata import describe_file as describe_file
from microveil.metadata import describe_release as describe_release
from microveil.methods import METHODS as METHODS
from microveil.methods.additive_noise import AdditiveNoise as _AdditiveNoise
from microveil.methods.aggregate import Aggregate as _Aggregate
from microveil.methods.anonymize_paths import AnonymizePaths as _AnonymizePaths
from microveil.methods.datafly import Datafly as _Datafly
from microveil.methods.decompose import Decompose as _Decompose
from microveil.methods.dp_microaggregate import DpMicroaggregate as _DpMicroaggregate
from microveil.methods.drop import Drop as _Drop
from microveil.methods.generalize import Generalize as _Generalize
from microveil.methods.group_rare import GroupRare as _GroupRare
from microveil.methods.half_swap import HalfSwap as _HalfSwap
from microveil.methods.incognito import Incognito as _Incognito
from microveil.methods.km_anonymize import KmAnonymize as _KmAnonymize
from microveil.methods.local_recoding import LocalRecoding as _LocalRecoding
from microveil.methods.local_suppression import LocalSuppression as _LocalSuppression
from microveil.methods.mask import Mask as _Mask
from microveil.methods.match_classes import MatchClasses as _MatchClasses
from microveil.methods.microaggregate import Microaggregate as _Microaggregate
from microveil.methods.mondrian import Mondrian as _Mondrian
from microveil.methods.multiplicative_noise import MultiplicativeNoise as _MultiplicativeNoise
from microveil.methods.optimal_generalization import OptimalGeneralization as _OptimalGeneralization
from microveil.methods.parts.base import Guarantee as Guarantee
from microveil.methods.parts.base import Method as Method
from microveil.methods.parts.base import Outcome as Outcome
from microveil.methods.parts.transitions import estimate_frequencies as estimate_frequencies
from microveil.methods.parts.transitions import response_matrix as response_matrix
from microveil.methods.permute import Permute as _Permute
from microveil.methods.pram import Pram as _Pram
from microveil.methods.pseudonymize import Pseudonymize as _Pseudonymize
from microveil.methods.randomized_response import RandomizedResponse as _RandomizedResponse
from microveil.methods.rank_swap import RankSwap as _RankSwap
from microveil.methods.redact import Redact as _Redact
from microveil.methods.relative_dates import RelativeDates as _RelativeDates
from microveil.methods.round import Round as _Round
from microveil.methods.sample import Sample as _Sample
from microveil.methods.set_missing import SetMissing as _SetMissing
from microveil.methods.shift_dates import ShiftDates as _ShiftDates
from microveil.methods.shuffle import Shuffle as _Shuffle
from microveil.methods.suppress_records import SuppressRecords as _SuppressRecords
from microveil.methods.swap_records import SwapRecords as _SwapRecords
from microveil.methods.synthesize import Synthesize as _Synthesize
from microveil.methods.top_bottom_code import TopBottomCode as _TopBottomCode
from microveil.privacy import MODELS as MODELS
from microveil.privacy.alpha_k_anonymity import AlphaKAnonymity as _AlphaKAnonymity
from microveil.privacy.average_risk import AverageRisk as _AverageRisk
from microveil.privacy.beta_likeness import BetaLikeness as _BetaLikeness
from microveil.privacy.delta_disclosure import DeltaDisclosure as _DeltaDisclosure
from microveil.privacy.delta_presence import DeltaPresence as _DeltaPresence
from microveil.privacy.k_anonymity import KAnonymity as _KAnonymity
from microveil.privacy.k_map import KMap as _KMap
from microveil.privacy.km_anonymity import KmAnonymity as _KmAnonymity
from microveil.privacy.l_diversity import LDiversity as _LDiversity
from microveil.privacy.parts.base import Check as Check
from microveil.privacy.parts.base import PrivacyModel as PrivacyModel
from microveil.privacy.population_uniqueness import PopulationUniqueness as _PopulationUniqueness
from microveil.privacy.t_closeness import TCloseness as _TCloseness
from microveil.recipes.across_releases import AcrossReleases as _AcrossReleases
from microveil.recipes.measure_requirement import MeasureRequirement as MeasureRequirement
from microveil.recipes.measure_requirement import limit as limit
from microveil.recipes.recipe import Recipe as Recipe
from microveil.recipes.schema import recipe_schema as recipe_schema
from microveil.registry.attacking import intersection_attack as intersection_attack
from microveil.registry.composing import Composition as Composition
from microveil.registry.entries import ReleaseEntry as ReleaseEntry
from microveil.registry.registering import RegistryTerms as RegistryTerms
from microveil.registry.registry import Registry as Registry
from microveil.release.release import Release as Release
from microveil.reports.contents.tables.writing import write_tables as write_tables
from microveil.risk import RISK_MEASURES as RISK_MEASURES
from microveil.risk.assessment.acceptable_k import ACCEPTABLE_K as ACCEPTABLE_K
from microveil.risk.assessment.acceptable_k import acceptable_k as acceptable_k
from microveil.risk.assessment.assessment import Assessment as Assessment
from microveil.risk.assessment.verdicts import Verdict as Verdict
from microveil.risk.attribute_disclosure import AttributeDisclosure as _AttributeDisclosure
from microveil.risk.class_sizes import ClassSizes as _ClassSizes
from microveil.risk.identity_disclosure import IdentityDisclosure as _IdentityDisclosure
from microveil.risk.individual_risk import IndividualRisk as _IndividualRisk
from microveil.risk.inference import Inference as _Inference
from microveil.risk.intersection_attack import IntersectionAttack as _IntersectionAttack
from microveil.risk.interval_disclosure import IntervalDisclosure as _IntervalDisclosure
from microveil.risk.key_separation import KeySeparation as _KeySeparation
from microveil.risk.linkability import Linkability as _Linkability
from microveil.risk.membership import Membership as _Membership
from microveil.risk.nearest_neighbour_ratio import NearestNeighbourRatio as _NearestNeighbourRatio
from microveil.risk.noise_filtering import NoiseFiltering as _NoiseFiltering
from microveil.risk.outside_linkage import OutsideLinkage as _OutsideLinkage
from microveil.risk.population.log_linear import LogLinear as _LogLinear
from microveil.risk.population_risk import PopulationRisk as _PopulationRisk
from microveil.risk.record_linkage import RecordLinkage as _RecordLinkage
from microveil.risk.reidentification_risk import ReidentificationRisk as _ReidentificationRisk
from microveil.risk.replicated_uniques import ReplicatedUniques as _ReplicatedUniques
from microveil.risk.safe_harbor import SafeHarbor as _SafeHarbor
from microveil.risk.singling_out import SinglingOut as _SinglingOut
from microveil.risk.special_uniques import SpecialUniques as _SpecialUniques
from microveil.risk.trajectory_risk import TrajectoryRisk as _TrajectoryRisk
from microveil.risk.value_disclosure import ValueDisclosure as _ValueDisclosure
from microveil.scores import Score as Score
from microveil.search.lattice.lattice_search import LatticeSearch as _LatticeSearch
from microveil.search.lattice.lattice_search import search_lattice as search_lattice
from microveil.search.lattice.result import SearchResult as SearchResult
from microveil.service.client import RemoteTable as RemoteTable
from microveil.service.client import Result as Result
from microveil.service.client import Service as Service
from microveil.service.client import ServiceError as ServiceError
from microveil.service.client import connect as connect
from microveil.synthesis.aim import Aim as _Aim
from microveil.synthesis.boosted import Boosted as _Boosted
from microveil.synthesis.bootstrap import Bootstrap as _Bootstrap
from microveil.synthesis.cart import Cart as _Cart
from microveil.synthesis.copula import Copula as _Copula
from microveil.synthesis.evaluation import SynthesisEvaluation as SynthesisEvaluation
from microveil.synthesis.ipso import Ipso as _Ipso
from microveil.synthesis.marginals import Marginals as _Marginals
from microveil.synthesis.mst import Mst as _Mst
from microveil.synthesis.parts.combining import CombinedEstimate as CombinedEstimate
from microveil.synthesis.parts.combining import combine_full as combine_full
from microveil.synthesis.parts.combining import combine_partial as combine_partial
from microveil.synthesis.parts.combining import combine_simple as combine_simple
from microveil.synthesis.parts.generator import Generator as Generator
from microveil.synthesis.parts.registry import GENERATORS as GENERATORS
from microveil.synthesis.parts.rules import Rule as _Rule
from microveil.synthesis.parts.sums import Sum as _Sum
from microveil.synthesis.parts.synthesizer import Synthesizer as _Synthesizer
from microveil.synthesis.trust_map import TrustMap as TrustMap
from microveil.synthesis.trust_map import trust_map as trust_map
from microveil.tables.classes import Classes as Classes
from microveil.tables.roles import Roles as Roles
from microveil.tables.table import Table as Table
from microveil.tabulation.earlier import EarlierTable as _EarlierTable
from microveil.tabulation.exchange.apriori import read_apriori as read_apriori
from microveil.tabulation.exchange.apriori import write_apriori as write_apriori
from microveil.tabulation.exchange.cell_files import write_argus_tables as write_argus_tables
from microveil.tabulation.exchange.metadata import read_argus as read_argus
from microveil.tabulation.outputs.appetite import RiskAppetite as _RiskAppetite
from microveil.tabulation.outputs.checking import check_outputs as check_outputs
from microveil.tabulation.outputs.session import Outputs as Outputs
from microveil.tabulation.plan import TablePlan as _TablePlan
from microveil.tabulation.protections.cell_keys.magnitudes import MagnitudeNoise as _MagnitudeNoise
from microveil.tabulation.protections.cell_keys.spec import CellKeys as _CellKeys
from microveil.tabulation.protections.rounding import RoundCells as _RoundCells
from microveil.tabulation.protections.small_counts import RoundSmallCounts as _RoundSmallCounts
from microveil.tabulation.protections.suppression.spec import Suppress as _Suppress
from microveil.tabulation.rules.dominance import Dominance as _Dominance
from microveil.tabulation.rules.p_percent import PPercent as _PPercent
from microveil.tabulation.rules.prior_posterior import PriorPosterior as _PriorPosterior
from microveil.tabulation.rules.threshold import Threshold as _Threshold
from microveil.tabulation.rules.zeros import Zeros as _Zeros
from microveil.tabulation.statuses import CellStatus as _CellStatus
from microveil.tabulation.tables import ProtectedTables as ProtectedTables
from microveil.tabulation.tabulating import tabulate as tabulate
from microveil.tabulation.tabulation import CellColumns as _CellColumns
from microveil.tabulation.tabulation import Tabulation as _Tabulation
from microveil.utility import UTILITY_MEASURES as UTILITY_MEASURES
from microveil.utility.ambiguity import Ambiguity as _Ambiguity
from microveil.utility.average_class_size import AverageClassSize as _AverageClassSize
from microveil.utility.cell_changes import CellChanges as _CellChanges
from microveil.utility.cell_loss import CellLoss as _CellLoss
from microveil.utility.clustering import Clustering as _Clustering
from microveil.utility.confidence_overlap import ConfidenceOverlap as _ConfidenceOverlap
from microveil.utility.discernibility import Discernibility as _Discernibility
from microveil.utility.distribution_distance import DistributionDistance as _DistributionDistance
from microveil.utility.eigenvalues import Eigenvalues as _Eigenvalues
from microveil.utility.entropy_loss import EntropyLoss as _EntropyLoss
from microveil.utility.generalization_loss import GeneralizationLoss as _GeneralizationLoss
from microveil.utility.il1 import IL1 as _IL1
from microveil.utility.il1s import IL1s as _IL1s
from microveil.utility.information_loss import InformationLoss as _InformationLoss
from microveil.utility.mean_divergence import MeanDivergence as _MeanDivergence
from microveil.utility.precision import Precision as _Precision
from microveil.utility.prediction import Prediction as _Prediction
from microveil.utility.propensity import Propensity as _Propensity
from microveil.utility.rank_correlation import RankCorrelation as _RankCorrelation
from microveil.utility.sse import Sse as _Sse
from microveil.utility.strategy_score import StrategyScore as _StrategyScore
from microveil.utility.table_counts import TableCounts as _TableCounts
from microveil.utility.value_distance import ValueDistance as _ValueDistance
from microveil.files.columns.expected.schema import ExpectedColumn
from microveil.files.columns.expected.schema import Severities
from microveil.linked.recipe import People
from microveil.linked.synthesis.settings import LinkedSynthesis
from microveil.methods.redact.dates import Reading
from microveil.specs import Spec
from microveil.synthesis.private.domain import Values
from microveil.tabulation.outputs.labels import Range
from microveil.tabulation.rules.parts.base import PrimaryRule

__version__: str

class Analysis(_Analysis):
    def __init__(
        self,
        *,
        analysis: Literal['table', 'means', 'regression', 'prediction'],
        by: str | Sequence[str] = ...,
        of: str | Sequence[str] = ...,
        target: str | None = ...,
        predictors: str | Sequence[str] = ...,
        weight: float = ...,
        at_least: float | None = ...,
    ) -> None: ...

class Goal(_Goal):
    def __init__(
        self,
        *,
        audience: Literal['public', 'research', 'internal'] | None = ...,
        require: Sequence[PrivacyModel | Mapping[str, Any] | MeasureRequirement] = ...,
        weights: Mapping[str, float] = ...,
        analyses: Sequence[Analysis | Mapping[str, Any]] = ...,
        truthful: bool = ...,
        keep_records: bool = ...,
        untouched: str | Sequence[str] = ...,
        epsilon: float | None = ...,
        domain: Mapping[str, Values | Mapping[str, Any] | Range | Any] = ...,
        missing: Literal['category', 'wildcard'] | None = ...,
        hierarchies: Mapping[str, Any] = ...,
        loss: str | None = ...,
        max_loss: float | None = ...,
    ) -> None: ...

class ExpectedSchema(_ExpectedSchema):
    def __init__(
        self,
        *,
        severity: Severities | Mapping[str, Any] = ...,
        columns: Mapping[str, ExpectedColumn | Mapping[str, Any]],
    ) -> None: ...

class Frequency(_Frequency):
    def __init__(
        self,
        *,
        steps: int = ...,
        min_counts: Sequence[int] = ...,
    ) -> None: ...

class Order(_Order):
    def __init__(
        self,
        *,
        sizes: Sequence[int] = ...,
        order: Sequence[str] = ...,
    ) -> None: ...

class Codes(_Codes):
    def __init__(
        self,
        *,
        system: Literal['icd10', 'nace', 'isco', 'nuts', 'country', 'postcode', 'ip'],
    ) -> None: ...

class Dates(_Dates):
    def __init__(
        self,
        *,
        levels: Sequence[Literal['day', 'weekday', 'week', 'month', 'quarter', 'year_season', 'season', 'year', 'five_years', 'decade', 'twenty_years', 'fifty_years']] = ...,
        format: str | None = ...,
        seasons: Sequence[str] = ...,
        december: Literal['same_year', 'next_year'] = ...,
    ) -> None: ...

class Digits(_Digits):
    def __init__(
        self,
        *,
        side: Literal['right', 'left'] = ...,
        masked: Sequence[int] = ...,
        char: str = ...,
        pad: str | None = ...,
        length: int | None = ...,
    ) -> None: ...

class Prefix(_Prefix):
    def __init__(
        self,
        *,
        lengths: Sequence[int],
        separator: str | None = ...,
    ) -> None: ...

class File(_File):
    def __init__(
        self,
        *,
        path: str,
        levels: Sequence[str] = ...,
        ignore: Sequence[Literal['case', 'accents', 'blanks']] = ...,
        separator: str | None = ...,
        header: bool = ...,
    ) -> None: ...

class Intervals(_Intervals):
    def __init__(
        self,
        *,
        cuts: Sequence[float] | Sequence[Sequence[float]] = ...,
        width: float | Sequence[float] = ...,
        origin: float = ...,
        factors: Sequence[int] = ...,
        bottom: float | None = ...,
        top: float | None = ...,
        closed: Literal['left', 'right'] = ...,
    ) -> None: ...

class Tree(_Tree):
    def __init__(
        self,
        *,
        tree: Any,
        levels: Sequence[str] = ...,
        ignore: Sequence[Literal['case', 'accents', 'blanks']] = ...,
    ) -> None: ...

class Types(_Types):
    def __init__(
        self,
        *,
        ignore: Sequence[Literal['case', 'accents', 'blanks']] = ...,
        type: Literal['character', 'integer', 'decimal', 'date', 'string'] | None = ...,
    ) -> None: ...

class Link(_Link):
    def __init__(
        self,
        *,
        table: str,
        column: str,
        to: str,
        key: str,
    ) -> None: ...

class LinkedRecipe(_LinkedRecipe):
    def __init__(
        self,
        *,
        tables: Mapping[str, Recipe | Mapping[str, Any]],
        links: Sequence[Link | Mapping[str, Any]] = ...,
        people: People | Mapping[str, Any],
        keys: Literal['renumber', 'pseudonymize', 'keep'] = ...,
        key_env: str = ...,
        key_file: str | Path | None = ...,
        synthesize: LinkedSynthesis | Mapping[str, Any] | None = ...,
    ) -> None: ...

class AdditiveNoise(_AdditiveNoise):
    def __init__(
        self,
        *,
        columns: str | Sequence[str] = ...,
        sd_share: float | None = ...,
        variance_share: float | None = ...,
        correlated: bool = ...,
        distribution: Literal['normal', 'laplace', 'uniform'] = ...,
        variant: Literal['plain', 'kim', 'romm', 'outliers'] = ...,
        keep_integers: bool = ...,
        keep_zeros: bool = ...,
        lower: float | str | Any | None = ...,
        upper: float | str | Any | None = ...,
        by_strata: bool = ...,
        household_columns: str | Sequence[str] | None = ...,
    ) -> None: ...

class Aggregate(_Aggregate):
    def __init__(
        self,
        *,
        columns: str | Sequence[str],
        by: str | Sequence[str] = ...,
        statistic: Literal['mean', 'median', 'sum', 'min', 'max', 'mode', 'count'] = ...,
        min_group: int = ...,
    ) -> None: ...

class Datafly(_Datafly):
    def __init__(
        self,
        *,
        k: int,
        hierarchies: Mapping[str, Any] = ...,
        models: Sequence[PrivacyModel | Mapping[str, Any]] = ...,
        max_suppressed: int | None = ...,
        columns: str | Sequence[str] = ...,
        unlisted: Literal['error', 'star'] = ...,
    ) -> None: ...

class Decompose(_Decompose):
    def __init__(
        self,
        *,
        groups: Mapping[str, str | Sequence[str]],
        l: int | None = ...,
        link: str = ...,
    ) -> None: ...

class DpMicroaggregate(_DpMicroaggregate):
    def __init__(
        self,
        *,
        columns: str | Sequence[str],
        bounds: Mapping[str, Sequence[float]],
        k: int,
        epsilon: float,
        rows_per_entity: int = ...,
    ) -> None: ...

class Drop(_Drop):
    def __init__(
        self,
        *,
        columns: str | Sequence[str],
    ) -> None: ...

class Generalize(_Generalize):
    def __init__(
        self,
        *,
        column: str,
        hierarchy: HierarchyBuilder | Mapping[str, Any] | str,
        level: int | str | Any,
        unlisted: Literal['error', 'star', 'keep'] = ...,
        star_missing: bool = ...,
    ) -> None: ...

class GroupRare(_GroupRare):
    def __init__(
        self,
        *,
        columns: str | Sequence[str] = ...,
        min_count: int | None = ...,
        min_share: float | None = ...,
        label: str | None = ...,
        enlarge: bool = ...,
        kept: Mapping[str, Sequence[str]] = ...,
    ) -> None: ...

class HalfSwap(_HalfSwap):
    def __init__(
        self,
        *,
        columns: str | Sequence[str] = ...,
        by_strata: bool = ...,
        household_columns: str | Sequence[str] | None = ...,
    ) -> None: ...

class Incognito(_Incognito):
    def __init__(
        self,
        *,
        k: int | None = ...,
        models: Sequence[PrivacyModel | Mapping[str, Any]] = ...,
        hierarchies: Mapping[str, Any] = ...,
        suppression_share: float = ...,
        loss: Literal['loss', 'precision', 'discernibility', 'average_class_size', 'height', 'non_uniform_entropy', 'normalized_non_uniform_entropy', 'ambiguity', 'entropy_based'] = ...,
        aggregate: Literal['geometric_mean', 'arithmetic_mean', 'sum', 'max', 'rank'] | None = ...,
        weights: Mapping[str, float] = ...,
        generalization_share: float = ...,
        ignore_suppression: bool = ...,
        strategy: Literal['incognito'] = ...,
        columns: str | Sequence[str] = ...,
        levels: Mapping[str, int | str] = ...,
        min_levels: Mapping[str, int | str] = ...,
        max_levels: Mapping[str, int | str] = ...,
        baseline: Literal['released', 'original'] = ...,
        unlisted: Literal['error', 'star'] = ...,
        node: int = ...,
        max_checks: int | None = ...,
        max_seconds: float | None = ...,
    ) -> None: ...

class AnonymizePaths(_AnonymizePaths):
    def __init__(
        self,
        *,
        columns: str | Sequence[str] = ...,
        time: str | None = ...,
        k: int,
        m: int = ...,
        knows: Literal['locations', 'unique_locations', 'sequence', 'time', 'frequency'] = ...,
        cells: Sequence[float] = ...,
        hierarchy: HierarchyBuilder | Mapping[str, Any] | str | None = ...,
        periods: Sequence[Literal['second', 'minute', 'hour', 'day', 'week', 'month', 'year']] = ...,
        suppression_share: float | None = ...,
    ) -> None: ...

class Redact(_Redact):
    def __init__(
        self,
        *,
        columns: str | Sequence[str] = ...,
        identifiers: str | Sequence[str] = ...,
        dates: str | Sequence[str] = ...,
        patterns: Sequence[Literal['email', 'web', 'ip', 'device', 'iban', 'card', 'national_id', 'phone', 'date']] = ...,
        lists: Sequence[str | Path] = ...,
        others: int = ...,
        engine: Literal['own', 'presidio'] = ...,
        language: str = ...,
    ) -> None: ...

class KmAnonymize(_KmAnonymize):
    def __init__(
        self,
        *,
        column: str,
        k: int,
        m: int = ...,
        hierarchy: HierarchyBuilder | Mapping[str, Any] | str | None = ...,
        suppression_share: float | None = ...,
        separator: str | None = ...,
        within_classes: bool = ...,
    ) -> None: ...

class LocalRecoding(_LocalRecoding):
    def __init__(
        self,
        *,
        hierarchies: Mapping[str, Any] = ...,
        suppression_share: float = ...,
        loss: Literal['loss', 'precision', 'height', 'non_uniform_entropy', 'normalized_non_uniform_entropy', 'entropy_based'] = ...,
        k: int | None = ...,
        models: Sequence[PrivacyModel | Mapping[str, Any]] = ...,
        algorithm: Literal['greedy', 'rounds'] = ...,
        round_share: float = ...,
        weights: Mapping[str, float] = ...,
        steps: int | None = ...,
        columns: str | Sequence[str] = ...,
        unlisted: Literal['error', 'star'] = ...,
    ) -> None: ...

class LocalSuppression(_LocalSuppression):
    def __init__(
        self,
        *,
        k: int | None = ...,
        importance: Mapping[str, float] = ...,
        subsets: Mapping[int, int] = ...,
        columns: str | Sequence[str] = ...,
        missing: Literal['category', 'wildcard'] | None = ...,
        by_strata: bool = ...,
        household_columns: str | Sequence[str] | None = ...,
        max_share: float | None = ...,
    ) -> None: ...

class Mask(_Mask):
    def __init__(
        self,
        *,
        columns: str | Sequence[str] = ...,
        pattern: str | None = ...,
        keep_start: int | None = ...,
        keep_end: int | None = ...,
        keep_length: bool = ...,
        preset: Literal['ip', 'phone', 'card', 'email'] | None = ...,
        keep: Literal['nothing', 'network', 'area', 'last_four', 'domain'] | None = ...,
        picture: Literal['drop', 'blur', 'pixelate'] | None = ...,
        detail: int = ...,
        char: str = ...,
    ) -> None: ...

class MatchClasses(_MatchClasses):
    def __init__(
        self,
        *,
        columns: str | Sequence[str],
        classes: Sequence[Sequence[str | None]],
        hierarchies: Mapping[str, Any] = ...,
        keep: Sequence[str] = ...,
        outside: Literal['remove', 'error'] = ...,
    ) -> None: ...

class Microaggregate(_Microaggregate):
    def __init__(
        self,
        *,
        columns: str | Sequence[str] = ...,
        k: int,
        algorithm: Literal['mdav', 'v_mdav', 'refined', 'optimal', 'fixed', 'principal_component', 'single_axis'] = ...,
        aggregation: Literal['auto', 'mean', 'median', 'mode', 'convex_median', 'medoid', 'majority'] | Mapping[str, Literal['auto', 'mean', 'median', 'mode', 'convex_median', 'medoid', 'majority']] = ...,
        each: bool = ...,
        standardize: bool = ...,
        distance: Literal['euclidean', 'gower', 'cosine', 'jaccard', 'edit'] = ...,
        gamma: float = ...,
        axis: str | None = ...,
        steps: int | None = ...,
        keep_integers: bool = ...,
        by_strata: bool = ...,
        household_columns: str | Sequence[str] | None = ...,
        weighted: bool = ...,
    ) -> None: ...

class Mondrian(_Mondrian):
    def __init__(
        self,
        *,
        k: int,
        mode: Literal['strict', 'relaxed'] = ...,
        hierarchies: Mapping[str, Any] = ...,
        models: Sequence[PrivacyModel | Mapping[str, Any]] = ...,
        publish: Literal['ranges', 'nodes', 'centroids'] = ...,
        split: Literal['widest', 'ncp', 'information_gain'] = ...,
        target: str | None = ...,
        columns: str | Sequence[str] = ...,
        unlisted: Literal['error', 'star'] = ...,
        categories: str | Sequence[str] = ...,
    ) -> None: ...

class MultiplicativeNoise(_MultiplicativeNoise):
    def __init__(
        self,
        *,
        columns: str | Sequence[str] = ...,
        sd: float,
        distribution: Literal['lognormal', 'normal'] = ...,
        redraw: bool = ...,
        keep_integers: bool = ...,
        household_columns: str | Sequence[str] | None = ...,
    ) -> None: ...

class OptimalGeneralization(_OptimalGeneralization):
    def __init__(
        self,
        *,
        k: int | None = ...,
        models: Sequence[PrivacyModel | Mapping[str, Any]] = ...,
        hierarchies: Mapping[str, Any] = ...,
        suppression_share: float = ...,
        loss: Literal['loss', 'precision', 'discernibility', 'average_class_size', 'height', 'non_uniform_entropy', 'normalized_non_uniform_entropy', 'ambiguity', 'entropy_based'] = ...,
        aggregate: Literal['geometric_mean', 'arithmetic_mean', 'sum', 'max', 'rank'] | None = ...,
        weights: Mapping[str, float] = ...,
        generalization_share: float = ...,
        ignore_suppression: bool = ...,
        strategy: Literal['auto', 'flash', 'branch_and_bound', 'ola', 'samarati', 'incognito', 'best_first'] = ...,
        columns: str | Sequence[str] = ...,
        levels: Mapping[str, int | str] = ...,
        min_levels: Mapping[str, int | str] = ...,
        max_levels: Mapping[str, int | str] = ...,
        baseline: Literal['released', 'original'] = ...,
        unlisted: Literal['error', 'star'] = ...,
        node: int = ...,
        max_checks: int | None = ...,
        max_seconds: float | None = ...,
    ) -> None: ...

class Permute(_Permute):
    def __init__(
        self,
        *,
        columns: str | Sequence[str] = ...,
        together: bool = ...,
        within: str | Sequence[str] = ...,
        household_columns: str | Sequence[str] | None = ...,
    ) -> None: ...

class Pram(_Pram):
    def __init__(
        self,
        *,
        columns: str | Sequence[str] = ...,
        retention: float | Mapping[str | bool, float] | None = ...,
        matrix: Mapping[str | float | bool, Mapping[str | bool, float]] | Sequence[Sequence[float]] | None = ...,
        categories: Sequence[str | float | bool] | None = ...,
        spread: Literal['evenly', 'by_frequency'] = ...,
        draw_retention: bool = ...,
        invariant: bool = ...,
        alpha: float = ...,
        by_strata: bool = ...,
        household_columns: str | Sequence[str] | None = ...,
    ) -> None: ...

class Pseudonymize(_Pseudonymize):
    def __init__(
        self,
        *,
        columns: str | Sequence[str] = ...,
        style: Literal['token', 'number', 'uuid'] = ...,
        length: int = ...,
        key_env: str = ...,
        key_file: str | Path | None = ...,
        key_fingerprint: str | None = ...,
        domain: str | None = ...,
        mapping: bool = ...,
    ) -> None: ...

class RandomizedResponse(_RandomizedResponse):
    def __init__(
        self,
        *,
        columns: str | Sequence[str] = ...,
        epsilon: float,
        categories: Sequence[str | float | bool] | None = ...,
        household_columns: str | Sequence[str] | None = ...,
    ) -> None: ...

class RankSwap(_RankSwap):
    def __init__(
        self,
        *,
        columns: str | Sequence[str] = ...,
        range_share: float | None = ...,
        variant: Literal['sequential', 'blocks', 'chained'] = ...,
        correlation: float | None = ...,
        mean_share: float | None = ...,
        top_share: float = ...,
        bottom_share: float = ...,
        by_strata: bool = ...,
        household_columns: str | Sequence[str] | None = ...,
    ) -> None: ...

class RelativeDates(_RelativeDates):
    def __init__(
        self,
        *,
        columns: str | Sequence[str] = ...,
        since: str = ...,
        per: str | None = ...,
        unit: Literal['days', 'weeks', 'years'] = ...,
        oldest: int | None = ...,
        earliest_year: int = ...,
    ) -> None: ...

class Round(_Round):
    def __init__(
        self,
        *,
        columns: str | Sequence[str] = ...,
        base: float,
        mode: Literal['nearest', 'down', 'random'] = ...,
        household_columns: str | Sequence[str] | None = ...,
    ) -> None: ...

class Sample(_Sample):
    def __init__(
        self,
        *,
        share: float | None = ...,
        n: int | None = ...,
        by_strata: bool = ...,
        whole: bool = ...,
        adjust_weight: bool = ...,
        recalibrate: bool = ...,
    ) -> None: ...

class SetMissing(_SetMissing):
    def __init__(
        self,
        *,
        columns: str | Sequence[str] = ...,
        values: Sequence[float | str] = ...,
        above: float | str | Any | None = ...,
        below: float | str | Any | None = ...,
    ) -> None: ...

class ShiftDates(_ShiftDates):
    def __init__(
        self,
        *,
        columns: str | Sequence[str] = ...,
        per: str | None = ...,
        unit: Literal['days', 'weeks'] = ...,
        most_days: int = ...,
        keep: Sequence[Literal['weekday', 'season', 'year']] = ...,
        birth: str | None = ...,
        oldest: int = ...,
        earliest_year: int = ...,
        key_env: str = ...,
        key_file: str | Path | None = ...,
        key_fingerprint: str | None = ...,
        domain: str | None = ...,
    ) -> None: ...

class Shuffle(_Shuffle):
    def __init__(
        self,
        *,
        columns: str | Sequence[str],
        given: str | Sequence[str] = ...,
        model: Literal['ranks', 'values'] = ...,
        exact: bool = ...,
        by_strata: bool = ...,
        household_columns: str | Sequence[str] | None = ...,
    ) -> None: ...

class SuppressRecords(_SuppressRecords):
    def __init__(
        self,
        *,
        k: int | Literal['acceptable'] | None = ...,
        models: Sequence[PrivacyModel | Mapping[str, Any]] = ...,
        columns: str | Sequence[str] = ...,
        missing: Literal['category', 'wildcard'] | None = ...,
        max_share: float | None = ...,
        recalibrate: bool = ...,
    ) -> None: ...

class SwapRecords(_SwapRecords):
    def __init__(
        self,
        *,
        hierarchy: str | Sequence[str],
        household: str | None = ...,
        similar: Sequence[str | Sequence[str]] = ...,
        same_size: bool = ...,
        swap_share: float = ...,
        k: int | None = ...,
        risk_columns: str | Sequence[str] = ...,
        carry_along: str | Sequence[str] = ...,
        codes_nest: bool = ...,
    ) -> None: ...

class Synthesize(_Synthesize):
    def __init__(
        self,
        *,
        generator: Generator | Mapping[str, Any] | str | Any = ...,
        columns: str | Sequence[str] = ...,
        risk_threshold: float | None = ...,
        n: int | None = ...,
        rules: Sequence[Rule | Mapping[str, Any]] = ...,
        sums: Sequence[Sum | Mapping[str, Any]] = ...,
        structural_zeros: Sequence[str | Sequence[str]] = ...,
        by_strata: bool = ...,
        weights: Literal['column', 'count'] = ...,
        replicated_uniques: Literal['report', 'remove'] = ...,
        copies: int = ...,
    ) -> None: ...

class TopBottomCode(_TopBottomCode):
    def __init__(
        self,
        *,
        columns: str | Sequence[str] = ...,
        top: float | str | Any | None = ...,
        bottom: float | str | Any | None = ...,
        top_share: float | None = ...,
        bottom_share: float | None = ...,
        replace_by: Literal['limit', 'mean'] = ...,
    ) -> None: ...

class AlphaKAnonymity(_AlphaKAnonymity):
    def __init__(
        self,
        *,
        column: str | Sequence[str] | None = ...,
        alpha: float,
        k: int,
        value: str | Sequence[str] = ...,
    ) -> None: ...

class AverageRisk(_AverageRisk):
    def __init__(
        self,
        *,
        threshold: float,
        record_risk: float | None = ...,
        record_share: float = ...,
    ) -> None: ...

class BetaLikeness(_BetaLikeness):
    def __init__(
        self,
        *,
        column: str | Sequence[str] | None = ...,
        beta: float,
        kind: Literal['basic', 'enhanced'] = ...,
    ) -> None: ...

class DeltaDisclosure(_DeltaDisclosure):
    def __init__(
        self,
        *,
        column: str | Sequence[str] | None = ...,
        delta: float,
    ) -> None: ...

class DeltaPresence(_DeltaPresence):
    def __init__(
        self,
        *,
        minimum: float = ...,
        maximum: float,
        population: str | None = ...,
    ) -> None: ...

class KAnonymity(_KAnonymity):
    def __init__(
        self,
        *,
        k: int,
    ) -> None: ...

class KMap(_KMap):
    def __init__(
        self,
        *,
        population_size: int | None = ...,
        sampling_share: float | None = ...,
        k: int,
        population: str | None = ...,
        estimator: Literal['poisson', 'zero_truncated_poisson'] = ...,
        significance: float = ...,
    ) -> None: ...

class KmAnonymity(_KmAnonymity):
    def __init__(
        self,
        *,
        k: int,
        m: int,
        column: str,
        separator: str | None = ...,
        within_classes: bool = ...,
    ) -> None: ...

class LDiversity(_LDiversity):
    def __init__(
        self,
        *,
        column: str | Sequence[str] | None = ...,
        l: float,
        kind: Literal['distinct', 'entropy', 'recursive'] = ...,
        c: float | None = ...,
        missing_counts: bool = ...,
    ) -> None: ...

class PopulationUniqueness(_PopulationUniqueness):
    def __init__(
        self,
        *,
        population_size: int | None = ...,
        sampling_share: float | None = ...,
        threshold: float,
        estimator: Literal['dankar', 'pitman', 'snb', 'zayatz'] = ...,
    ) -> None: ...

class TCloseness(_TCloseness):
    def __init__(
        self,
        *,
        column: str | Sequence[str] | None = ...,
        t: float,
        distance: Literal['equal', 'ordered', 'hierarchical', 'total_variation', 'hellinger', 'kullback_leibler', 'kolmogorov_smirnov'] = ...,
        hierarchy: HierarchyBuilder | Mapping[str, Any] | str | None = ...,
        order: Sequence[str] = ...,
    ) -> None: ...

class AcrossReleases(_AcrossReleases):
    def __init__(
        self,
        *,
        k: int,
        m: int | None = ...,
    ) -> None: ...

class AttributeDisclosure(_AttributeDisclosure):
    def __init__(
        self,
        *,
        column: str | Sequence[str] = ...,
        threshold: float = ...,
        width: float = ...,
    ) -> None: ...

class ClassSizes(_ClassSizes):
    def __init__(
        self,
        *,
        missing: Literal['category', 'wildcard'] = ...,
    ) -> None: ...

class IdentityDisclosure(_IdentityDisclosure):
    def __init__(
        self,
        *,
        columns: str | Sequence[str] = ...,
        each: bool = ...,
        worst_columns: bool = ...,
    ) -> None: ...

class IndividualRisk(_IndividualRisk):
    def __init__(
        self,
        *,
        missing: Literal['category', 'wildcard'] = ...,
        wildcard_weight: float = ...,
        estimator: Literal['approximate', 'exact', 'sample'] = ...,
        threshold: float | None = ...,
        max_global_risk: float = ...,
        level: Literal['person', 'household'] = ...,
    ) -> None: ...

class Inference(_Inference):
    def __init__(
        self,
        *,
        n_attacks: int = ...,
        confidence: float = ...,
        hierarchies: Mapping[str, Any] = ...,
        secret: str | Sequence[str] = ...,
        known: str | Sequence[str] = ...,
        tolerance: float = ...,
    ) -> None: ...

class IntersectionAttack(_IntersectionAttack):
    def __init__(
        self,
        *,
        columns: str | Sequence[str] = ...,
        range_share: float | None = ...,
    ) -> None: ...

class IntervalDisclosure(_IntervalDisclosure):
    def __init__(
        self,
        *,
        k: float = ...,
        columns: str | Sequence[str] = ...,
        around: Literal['sd', 'ranks', 'robust_distance'] = ...,
        joint: bool = ...,
        isolated: float = ...,
    ) -> None: ...

class KeySeparation(_KeySeparation):
    def __init__(
        self,
        *,
        columns: str | Sequence[str] = ...,
        max_size: int | None = ...,
        identifying_share: float = ...,
    ) -> None: ...

class Linkability(_Linkability):
    def __init__(
        self,
        *,
        n_attacks: int = ...,
        confidence: float = ...,
        hierarchies: Mapping[str, Any] = ...,
        known: Sequence[str | Sequence[str]] = ...,
        n_neighbours: int = ...,
    ) -> None: ...

class Membership(_Membership):
    def __init__(
        self,
        *,
        n_attacks: int = ...,
        confidence: float = ...,
        hierarchies: Mapping[str, Any] = ...,
        columns: str | Sequence[str] = ...,
    ) -> None: ...

class NearestNeighbourRatio(_NearestNeighbourRatio):
    def __init__(
        self,
        *,
        n_attacks: int = ...,
        confidence: float = ...,
        hierarchies: Mapping[str, Any] = ...,
        columns: str | Sequence[str] = ...,
        share: float = ...,
    ) -> None: ...

class NoiseFiltering(_NoiseFiltering):
    def __init__(
        self,
        *,
        columns: str | Sequence[str] = ...,
        method: Literal['pca', 'spectral', 'bayes'] = ...,
        sd_share: float | None = ...,
        worst_columns: bool = ...,
    ) -> None: ...

class OutsideLinkage(_OutsideLinkage):
    def __init__(
        self,
        *,
        auxiliary: str | None = ...,
        known: str | Sequence[str] = ...,
        sensitive: str | Sequence[str] = ...,
    ) -> None: ...

class LogLinear(_LogLinear):
    def __init__(
        self,
        *,
        method: Literal['poisson', 'offset', 'pseudo_likelihood', 'weighted'] = ...,
        interactions: Sequence[str | Sequence[str]] = ...,
        linear: str | Sequence[str] = ...,
        bound: int | None = ...,
    ) -> None: ...

class PopulationRisk(_PopulationRisk):
    def __init__(
        self,
        *,
        population_size: int | None = ...,
        sampling_share: float | None = ...,
        estimator: Literal['dankar', 'pitman', 'snb', 'zayatz', 'poisson', 'negative_binomial', 'log_linear'] | None = ...,
        log_linear: LogLinear | Mapping[str, Any] = ...,
    ) -> None: ...

class RecordLinkage(_RecordLinkage):
    def __init__(
        self,
        *,
        columns: str | Sequence[str] = ...,
        method: Literal['distance', 'probabilistic', 'assignment'] = ...,
        distance: Literal['euclidean', 'manhattan', 'gower', 'mahalanobis'] = ...,
        weights: Mapping[str, float] = ...,
        standardize: Literal['sd', 'range', 'robust', 'rank', 'none'] = ...,
        hierarchies: Mapping[str, Any] = ...,
        agree_within: float = ...,
        most_pairs: int = ...,
        one_to_one: bool = ...,
        worst_columns: bool = ...,
        links: bool = ...,
    ) -> None: ...

class ReidentificationRisk(_ReidentificationRisk):
    def __init__(
        self,
        *,
        population_size: int | None = ...,
        sampling_share: float | None = ...,
        attacker: Literal['prosecutor', 'journalist', 'marketer'] = ...,
        threshold: float = ...,
        population: str | None = ...,
        missing: Literal['category', 'wildcard'] = ...,
    ) -> None: ...

class ReplicatedUniques(_ReplicatedUniques):
    def __init__(
        self,
        *,
        columns: str | Sequence[str] = ...,
        worst_columns: bool = ...,
    ) -> None: ...

class SafeHarbor(_SafeHarbor):
    def __init__(
        self,
        *,
        ages: str | Sequence[str] = ...,
        births: str | Sequence[str] = ...,
        postcodes: str | Sequence[str] = ...,
        dates: str | Sequence[str] = ...,
        contacts_only: bool = ...,
        year: int | None = ...,
    ) -> None: ...

class SinglingOut(_SinglingOut):
    def __init__(
        self,
        *,
        n_attacks: int = ...,
        confidence: float = ...,
        hierarchies: Mapping[str, Any] = ...,
        mode: Literal['multivariate', 'univariate'] = ...,
        n_columns: int = ...,
        columns: str | Sequence[str] = ...,
        max_attempts: int = ...,
    ) -> None: ...

class SpecialUniques(_SpecialUniques):
    def __init__(
        self,
        *,
        columns: str | Sequence[str] = ...,
        max_size: int | None = ...,
        sampling_share: float | Literal['weights'] | None = ...,
        weighting: Literal['factorial', 'supersets'] = ...,
        missing: Literal['category', 'wildcard', 'ignored'] = ...,
    ) -> None: ...

class TrajectoryRisk(_TrajectoryRisk):
    def __init__(
        self,
        *,
        columns: str | Sequence[str] = ...,
        time: str | None = ...,
        m: int = ...,
        knows: Literal['locations', 'unique_locations', 'sequence', 'time', 'frequency', 'probability'] = ...,
        precision: Literal['second', 'minute', 'hour', 'day', 'week', 'month', 'year'] | None = ...,
    ) -> None: ...

class ValueDisclosure(_ValueDisclosure):
    def __init__(
        self,
        *,
        columns: str | Sequence[str] = ...,
        given: str | Sequence[str] = ...,
    ) -> None: ...

class LatticeSearch(_LatticeSearch):
    def __init__(
        self,
        *,
        k: int | None = ...,
        models: Sequence[PrivacyModel | Mapping[str, Any]] = ...,
        hierarchies: Mapping[str, Any] = ...,
        suppression_share: float = ...,
        loss: Literal['loss', 'precision', 'discernibility', 'average_class_size', 'height', 'non_uniform_entropy', 'normalized_non_uniform_entropy', 'ambiguity', 'entropy_based'] = ...,
        aggregate: Literal['geometric_mean', 'arithmetic_mean', 'sum', 'max', 'rank'] | None = ...,
        weights: Mapping[str, float] = ...,
        generalization_share: float = ...,
        ignore_suppression: bool = ...,
        strategy: Literal['auto', 'flash', 'branch_and_bound', 'ola', 'samarati', 'incognito', 'best_first'] = ...,
        columns: str | Sequence[str] = ...,
        levels: Mapping[str, int | str] = ...,
        min_levels: Mapping[str, int | str] = ...,
        max_levels: Mapping[str, int | str] = ...,
        baseline: Literal['released', 'original'] = ...,
        unlisted: Literal['error', 'star'] = ...,
        node: int = ...,
        max_checks: int | None = ...,
        max_seconds: float | None = ...,
    ) -> None: ...

class Aim(_Aim):
    def __init__(
        self,
        *,
        epsilon: float,
        delta: float = ...,
        domain: Mapping[str, Values | Mapping[str, Any] | Range | Any] = ...,
        rows_per_entity: int | None = ...,
        insecure: bool = ...,
        order: int = ...,
        max_cells: int = ...,
    ) -> None: ...

class Boosted(_Boosted):
    def __init__(
        self,
        *,
        n_rounds: int = ...,
        learning_rate: float | None = ...,
        most_depth: int = ...,
        least_leaf: int | None = ...,
        order: str | Sequence[str] = ...,
        predictors: Mapping[str, str | Sequence[str]] = ...,
        smoothing: bool = ...,
    ) -> None: ...

class Bootstrap(_Bootstrap):
    def __init__(
        self,
    ) -> None: ...

class Cart(_Cart):
    def __init__(
        self,
        *,
        least_leaf: int | None = ...,
        order: str | Sequence[str] = ...,
        predictors: Mapping[str, str | Sequence[str]] = ...,
        smoothing: bool = ...,
        proper: bool = ...,
    ) -> None: ...

class Copula(_Copula):
    def __init__(
        self,
        *,
        smoothing: int = ...,
    ) -> None: ...

class Ipso(_Ipso):
    def __init__(
        self,
    ) -> None: ...

class Marginals(_Marginals):
    def __init__(
        self,
        *,
        smoothing: int = ...,
    ) -> None: ...

class Mst(_Mst):
    def __init__(
        self,
        *,
        epsilon: float,
        delta: float = ...,
        domain: Mapping[str, Values | Mapping[str, Any] | Range | Any] = ...,
        rows_per_entity: int | None = ...,
        insecure: bool = ...,
    ) -> None: ...

class Rule(_Rule):
    def __init__(
        self,
        *,
        when: str | None = ...,
        then: Mapping[str, bool | float | str | None] = ...,
        must: str | None = ...,
    ) -> None: ...

class Sum(_Sum):
    def __init__(
        self,
        *,
        total: str,
        parts: str | Sequence[str],
    ) -> None: ...

class Synthesizer(_Synthesizer):
    def __init__(
        self,
        *,
        generator: Generator | Mapping[str, Any] | str | Any = ...,
        columns: str | Sequence[str] = ...,
        risk_threshold: float | None = ...,
        n: int | None = ...,
        rules: Sequence[Rule | Mapping[str, Any]] = ...,
        sums: Sequence[Sum | Mapping[str, Any]] = ...,
        structural_zeros: Sequence[str | Sequence[str]] = ...,
        by_strata: bool = ...,
        weights: Literal['column', 'count'] = ...,
        replicated_uniques: Literal['report', 'remove'] = ...,
    ) -> None: ...

class CellKeys(_CellKeys):
    def __init__(
        self,
        *,
        record_key: str | None = ...,
        identified_by: str | Sequence[str] = ...,
        table: str | None = ...,
        deviation: int = ...,
        variance: float = ...,
        smallest: int = ...,
        stay: float | None = ...,
        monotone: bool = ...,
        magnitudes: MagnitudeNoise | Mapping[str, Any] = ...,
    ) -> None: ...

class MagnitudeNoise(_MagnitudeNoise):
    def __init__(
        self,
        *,
        top: int = ...,
        share: float = ...,
        large_share: float | None = ...,
        flex_point: float | None = ...,
        steepness: float = ...,
        fading: Sequence[float] = ...,
        extra: float = ...,
        table: str | None = ...,
        deviation: int = ...,
        variance: float = ...,
        step: float = ...,
    ) -> None: ...

class RoundCells(_RoundCells):
    def __init__(
        self,
        *,
        base: int = ...,
        method: Literal['nearest', 'random', 'controlled'] = ...,
        seconds: float = ...,
    ) -> None: ...

class Suppress(_Suppress):
    def __init__(
        self,
        *,
        method: Literal['heuristic', 'optimal'] = ...,
        cost: Literal['cells', 'contributors', 'value', 'column'] = ...,
        seconds: float = ...,
        singletons: bool = ...,
    ) -> None: ...

class Dominance(_Dominance):
    def __init__(
        self,
        *,
        n: int = ...,
        k: float = ...,
        weighting: Literal['sample', 'represented'] = ...,
    ) -> None: ...

class PPercent(_PPercent):
    def __init__(
        self,
        *,
        p: float = ...,
        n: int = ...,
        weighting: Literal['sample', 'represented'] = ...,
    ) -> None: ...

class PriorPosterior(_PriorPosterior):
    def __init__(
        self,
        *,
        p: float = ...,
        q: float = ...,
        weighting: Literal['sample', 'represented'] = ...,
    ) -> None: ...

class Threshold(_Threshold):
    def __init__(
        self,
        *,
        n: int = ...,
        level: float = ...,
    ) -> None: ...

class Zeros(_Zeros):
    def __init__(
        self,
        *,
        level: float = ...,
    ) -> None: ...

class CellStatus(_CellStatus):
    def __init__(
        self,
        *,
        cell: Mapping[str, str],
        status: Literal['unsafe', 'suppressed', 'safe', 'published'] | None = ...,
        table: str | None = ...,
        level: float = ...,
        cost: float | None = ...,
    ) -> None: ...

class EarlierTable(_EarlierTable):
    def __init__(
        self,
        *,
        table: Tabulation | Mapping[str, Any],
        file: str,
        value: str = ...,
    ) -> None: ...

class RoundSmallCounts(_RoundSmallCounts):
    def __init__(
        self,
        *,
        base: int = ...,
    ) -> None: ...

class CellColumns(_CellColumns):
    def __init__(
        self,
        *,
        count: str,
        total: str | None = ...,
        largest: str | Sequence[str] = ...,
        cost: str | None = ...,
    ) -> None: ...

class Tabulation(_Tabulation):
    def __init__(
        self,
        *,
        by: str | Sequence[str],
        value: str | None = ...,
        statistic: Literal['count', 'sum', 'mean'] | None = ...,
        hierarchies: Mapping[str, Any] = ...,
        weight: str | None = ...,
        contributor: str | None = ...,
        cost: str | None = ...,
        waiver: str | None = ...,
        missing: Literal['unsafe', 'safe'] = ...,
        total_code: str = ...,
        cells: CellColumns | Mapping[str, Any] | None = ...,
        name: str | None = ...,
    ) -> None: ...

class TablePlan(_TablePlan):
    def __init__(
        self,
        *,
        reading: Reading | Mapping[str, Any] = ...,
        roles: Roles | Mapping[str, Any] = ...,
        tables: Sequence[Tabulation | Mapping[str, Any]],
        rules: Sequence[PrimaryRule | Mapping[str, Any]] = ...,
        protect: Spec | Mapping[str, Any] = ...,
        statuses: Sequence[CellStatus | Mapping[str, Any]] = ...,
        earlier: Sequence[EarlierTable | Mapping[str, Any]] = ...,
    ) -> None: ...

class RiskAppetite(_RiskAppetite):
    def __init__(
        self,
        *,
        threshold: int = ...,
        dominance_n: int = ...,
        dominance_k: float = ...,
        p: float = ...,
        degrees_of_freedom: int = ...,
        rounding: int | None = ...,
        zeros: bool = ...,
    ) -> None: ...

class Study(_Study):
    def __init__(
        self,
        *,
        title: str | None = ...,
        description: str | None = ...,
        creator: str | None = ...,
        publisher: str | None = ...,
        contact: str | None = ...,
        license: str | None = ...,
        access: str | None = ...,
        url: str | None = ...,
        identifier: str | None = ...,
        version: str | None = ...,
        published: date | None = ...,
        language: str = ...,
        keywords: Sequence[str] = ...,
        universe: str | None = ...,
        unit: str | None = ...,
        country: str | None = ...,
        period: str | None = ...,
        collection: str | None = ...,
        source: str | None = ...,
        citation: str | None = ...,
        uses: str | None = ...,
        biases: str | None = ...,
        maintenance: str | None = ...,
        universes: Mapping[str, str] = ...,
    ) -> None: ...

class Ambiguity(_Ambiguity):
    def __init__(
        self,
        *,
        columns: str | Sequence[str] = ...,
        hierarchies: Mapping[str, Any] = ...,
    ) -> None: ...

class AverageClassSize(_AverageClassSize):
    def __init__(
        self,
        *,
        columns: str | Sequence[str] = ...,
    ) -> None: ...

class CellChanges(_CellChanges):
    def __init__(
        self,
    ) -> None: ...

class CellLoss(_CellLoss):
    def __init__(
        self,
        *,
        columns: str | Sequence[str] = ...,
        hierarchies: Mapping[str, Any] = ...,
        weights: Mapping[str, float] = ...,
    ) -> None: ...

class Clustering(_Clustering):
    def __init__(
        self,
        *,
        columns: str | Sequence[str] = ...,
        n_clusters: int = ...,
        n_starts: int = ...,
    ) -> None: ...

class ConfidenceOverlap(_ConfidenceOverlap):
    def __init__(
        self,
        *,
        columns: str | Sequence[str] = ...,
        by: str | Sequence[str] = ...,
        target: str | None = ...,
        predictors: str | Sequence[str] = ...,
        confidence: float = ...,
    ) -> None: ...

class Discernibility(_Discernibility):
    def __init__(
        self,
        *,
        columns: str | Sequence[str] = ...,
    ) -> None: ...

class DistributionDistance(_DistributionDistance):
    def __init__(
        self,
        *,
        columns: str | Sequence[str] = ...,
        distance: Literal['total_variation', 'hellinger', 'chi_square'] = ...,
        pairs: bool = ...,
        n_bins: int = ...,
        hierarchies: Mapping[str, Any] = ...,
    ) -> None: ...

class Eigenvalues(_Eigenvalues):
    def __init__(
        self,
        *,
        columns: str | Sequence[str] = ...,
        robust: bool = ...,
    ) -> None: ...

class EntropyLoss(_EntropyLoss):
    def __init__(
        self,
        *,
        columns: str | Sequence[str] = ...,
        hierarchies: Mapping[str, Any] = ...,
    ) -> None: ...

class GeneralizationLoss(_GeneralizationLoss):
    def __init__(
        self,
        *,
        columns: str | Sequence[str] = ...,
        hierarchies: Mapping[str, Any] = ...,
    ) -> None: ...

class IL1(_IL1):
    def __init__(
        self,
        *,
        columns: str | Sequence[str] = ...,
    ) -> None: ...

class IL1s(_IL1s):
    def __init__(
        self,
        *,
        columns: str | Sequence[str] = ...,
    ) -> None: ...

class InformationLoss(_InformationLoss):
    def __init__(
        self,
        *,
        columns: str | Sequence[str] = ...,
        of: Literal['values', 'records', 'covariances', 'correlations'] = ...,
        error: Literal['mse', 'mae', 'mre'] = ...,
    ) -> None: ...

class MeanDivergence(_MeanDivergence):
    def __init__(
        self,
        *,
        columns: str | Sequence[str] = ...,
        excess: bool = ...,
    ) -> None: ...

class Precision(_Precision):
    def __init__(
        self,
        *,
        columns: str | Sequence[str] = ...,
        hierarchies: Mapping[str, Any] = ...,
    ) -> None: ...

class Prediction(_Prediction):
    def __init__(
        self,
        *,
        target: str | None = ...,
        columns: str | Sequence[str] = ...,
        model: Literal['logistic', 'tree', 'boosting', 'forest'] = ...,
        quality: Literal['auc', 'accuracy'] = ...,
        task: Literal['auto', 'classification', 'regression'] = ...,
        held_out_share: float = ...,
    ) -> None: ...

class Propensity(_Propensity):
    def __init__(
        self,
        *,
        columns: str | Sequence[str] = ...,
        model: Literal['logistic', 'tree'] = ...,
        interactions: bool = ...,
        n_permutations: int = ...,
        hierarchies: Mapping[str, Any] = ...,
    ) -> None: ...

class RankCorrelation(_RankCorrelation):
    def __init__(
        self,
        *,
        columns: str | Sequence[str] = ...,
    ) -> None: ...

class Sse(_Sse):
    def __init__(
        self,
        *,
        columns: str | Sequence[str] = ...,
    ) -> None: ...

class StrategyScore(_StrategyScore):
    def __init__(
        self,
        *,
        keys: str | Sequence[str] = ...,
        numbers: str | Sequence[str] = ...,
        terms: Sequence[float] = ...,
    ) -> None: ...

class TableCounts(_TableCounts):
    def __init__(
        self,
        *,
        columns: str | Sequence[str] = ...,
        error: Literal['absolute', 'root', 'relative'] = ...,
        only_inner_cells: bool = ...,
    ) -> None: ...

class ValueDistance(_ValueDistance):
    def __init__(
        self,
        *,
        columns: str | Sequence[str] = ...,
    ) -> None: ...
